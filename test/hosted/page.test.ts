import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { launchBrowser } from '../browser/browser.ts'
import { sandbox } from '../cli.ts'
import { fakeModel } from '../fake-model.ts'
import { S3_KEYS, startSharedStores, whyNoStores } from '../shared/shared-stores.ts'
import { PAGE_ADDRESS, untilSays } from '../until-says.ts'

const OWNER = 'the-token-that-all-instances-take'

describe.skipIf(whyNoStores)('the page of a hosted workspace', async () => {
  if (whyNoStores) return
  const shared = await startSharedStores()
  let browser: Browser
  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())

  async function open(address: string): Promise<Page> {
    const context = await browser.newContext()
    onTestFinished(() => context.close())
    const page = await context.newPage()
    page.setDefaultTimeout(30_000)
    await page.goto(address)
    return page
  }

  test('one person makes it, brings a file and asks, and another one publishes', async () => {
    const write = { path: 'answer.txt', content: 'forty-two\n' }
    const model = await fakeModel([
      { text: 'I write it.', calls: [{ name: 'write_text_file', arguments: write }] },
      { text: 'Written.' },
    ])
    const child = sandbox().start(['serve', '--port', '0'], {
      env: {
        FILEWRIGHT_DATABASE: await shared.database(),
        FILEWRIGHT_BLOBS: shared.bucket(),
        AWS_ACCESS_KEY_ID: S3_KEYS.accessKeyId,
        AWS_SECRET_ACCESS_KEY: S3_KEYS.secretAccessKey,
        FILEWRIGHT_TOKEN: OWNER,
        FILEWRIGHT_BASE_URL: model.baseUrl,
      },
    })
    const { origin } = new URL(await untilSays(child, PAGE_ADDRESS))
    const page = await open(`${origin}/?token=${OWNER}`)
    await page.getByRole('button', { name: 'Home', exact: true }).click()
    await page.getByRole('textbox', { name: 'Name of the new workspace' }).fill('Papers')
    await page.getByRole('button', { name: 'New workspace' }).click()
    const question = { name: 'question.txt', mimeType: 'text/plain', buffer: Buffer.from('what?') }
    await page.locator('input[type=file]').first().setInputFiles(question)
    await page.getByRole('treeitem', { name: 'question.txt' }).waitFor()
    await page
      .getByRole('region', { name: 'Model' })
      .getByText('Whoever runs this server')
      .waitFor()
    await page.getByRole('textbox', { name: 'What should be done?' }).fill('Answer it.')
    await page.keyboard.press('Enter')
    await page.getByRole('log').getByText('Written.').waitFor()
    await page.getByRole('tab', { name: /^Changes/ }).click()
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByText('nobody decides about their own work').waitFor()

    const headers = { authorization: `Bearer ${OWNER}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ name: 'bert', rights: ['approve'], workspaces: 'all' })
    const made = await fetch(`${origin}/api/tokens`, { method: 'POST', headers, body })
    const { token } = (await made.json()) as { readonly token: string }
    const other = await open(`${origin}/?token=${token}`)
    await other.getByRole('region', { name: 'Model' }).getByText('Whoever runs').waitFor()
    await other.getByRole('tab', { name: /^Changes/ }).click()
    await other.getByRole('button', { name: 'Publish' }).click()
    await other.getByRole('treeitem', { name: 'answer.txt' }).waitFor()
    await expect
      .poll(async () => {
        const { workspaces } = (await (
          await fetch(`${origin}/api/workspaces`, { headers })
        ).json()) as { readonly workspaces: readonly { readonly workspaceId: string }[] }
        const path = `/api/workspaces/${workspaces[0]!.workspaceId}/content?path=answer.txt`
        return (await fetch(origin + path, { headers })).text()
      })
      .toBe(write.content)
  })
})
