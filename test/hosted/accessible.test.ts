import { describe, expect, onTestFinished, test } from 'vitest'
import { check } from '../browser/accessible.ts'
import { launchBrowser } from '../browser/browser.ts'
import { fileRow } from '../browser/open-page.ts'
import { sandbox } from '../cli.ts'
import { S3_KEYS, startSharedStores, whyNoStores } from '../shared/shared-stores.ts'
import { PAGE_ADDRESS, untilSays } from '../until-says.ts'

describe.skipIf(whyNoStores)('the page of hosted workspaces', async () => {
  if (whyNoStores) return
  const shared = await startSharedStores()

  async function serve(): Promise<string> {
    const env = {
      FILEWRIGHT_DATABASE: await shared.database(),
      FILEWRIGHT_BLOBS: shared.bucket(),
      AWS_ACCESS_KEY_ID: S3_KEYS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: S3_KEYS.secretAccessKey,
    }
    const child = sandbox().start(['serve', '--port', '0'], { env })
    onTestFinished(() => void child.kill('SIGKILL'))
    return untilSays(child, PAGE_ADDRESS)
  }

  for (const colorScheme of ['light', 'dark'] as const)
    test(`a workspace is made, renamed and deleted with a browser alone, accessibly in ${colorScheme}`, async () => {
      const url = await serve()
      const browser = await launchBrowser()
      onTestFinished(() => browser.close())
      const page = await browser.newPage({ colorScheme })
      page.setDefaultTimeout(120_000)
      await page.goto(url)
      const home = page.getByRole('button', { name: 'Home', exact: true })
      await home.click()
      const make = page.getByRole('region', { name: 'New workspace' })
      await make.getByLabel('Name of the new workspace').fill('Papers')
      await check(page, 'home, with a new workspace')
      await make.getByRole('button', { name: 'New one with sample files' }).click()
      await fileRow(page, 'README.md').waitFor()
      await check(page, 'a hosted workspace')
      await home.click()
      await page.getByRole('button', { name: 'Rename Papers' }).click()
      await page.getByLabel('New name of Papers').fill('Letters')
      await check(page, 'home, renaming a workspace')
      await page.getByRole('button', { name: 'Rename', exact: true }).click()
      await page.getByRole('button', { name: 'Delete Letters' }).click()
      await check(page, 'home, deleting a workspace')
      await page.getByRole('button', { name: 'Delete all of it' }).click()
      await expect.poll(() => page.getByText('kept on this server').count()).toBe(0)
    })
})
