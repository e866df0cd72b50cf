import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fakeModel } from '../fake-model.ts'
import { check } from './accessible.ts'
import { ask, call } from './asking.ts'
import { launchBrowser } from './browser.ts'
import { fileRow, goToPlace, openPage, openReview } from './open-page.ts'
import { serveSample } from './served.ts'

let browser: Browser

beforeAll(async () => {
  browser = await launchBrowser()
})

afterAll(() => browser?.close())

const TODO = { path: 'notes/todo.md', content: '- almonds\n- raisins\n' }
const CELLS = {
  path: 'data/sales.xlsx',
  operations: [{ op: 'set_cells', sheet: 'Sales', cells: [{ cell: 'C2', value: 2000 }] }],
}

/** A conversation with a plan, calls, Markdown and a draft of two files. */
async function serveConversation() {
  const model = await fakeModel([
    {
      text: 'I **look** first:\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n`code` and a [link](https://example.org).',
      calls: [
        call('update_plan', { steps: [{ step: 'Look', status: 'doing' }] }),
        call('read_file', { path: 'nowhere.md' }),
      ],
    },
    { text: '', calls: [call('write_text_file', TODO), call('xlsx_operations', CELLS)] },
    { text: 'Two files wait.' },
  ])
  const env = { FILEWRIGHT_BASE_URL: model.baseUrl, FILEWRIGHT_MODEL: 'fake' }
  const served = await serveSample(env)
  await served.call('workspace_create_file', { path: 'asked.md', content: 'May I?\n' })
  return served
}

for (const colorScheme of ['light', 'dark'] as const)
  test(`every screen in ${colorScheme} is accessible, and has at most two primary buttons`, async () => {
    const served = await serveConversation()
    const page = await openPage(browser, served, { colorScheme })
    await page.getByRole('button', { name: 'Approve', exact: true }).waitFor()
    await check(page, 'start')
    await ask(page, 'Do something')
    await page.getByRole('log').getByText('2 files in the draft').waitFor()
    await openReview(page)
    await page.getByRole('grid').getByText('2,000').waitFor()
    await check(page, 'review')
    await page.getByRole('button', { name: 'Refuse: all changes of notes/todo.md' }).count()
    await page
      .getByRole('log')
      .getByRole('button', { name: /nowhere/ })
      .click()
    await check(page, 'an open call')
    for (const path of [
      'data/sales.xlsx',
      'data/prices.csv',
      'notes/2026-10-meeting.md',
      'src/invoice.ts',
    ]) {
      await fileRow(page, path).click()
      await page
        .getByRole('region', { name: path })
        .getByRole('button', { name: 'Download' })
        .waitFor()
      await check(page, path)
    }
    await fileRow(page, 'data/sales.xlsx').click()
    await page.getByRole('button', { name: 'Side by side' }).click()
    await page.getByRole('region', { name: 'Published', exact: true }).getByRole('grid').waitFor()
    await check(page, 'side by side')
    await page.getByRole('tab', { name: 'History' }).click()
    await page.getByText('Nothing yet.').waitFor()
    await check(page, 'history')
    await page.getByRole('textbox', { name: 'What should be done?' }).fill('/')
    await page.getByRole('option').first().waitFor()
    await check(page, 'completions')
    await page.getByRole('button', { name: 'Earlier conversations' }).click()
    await page
      .getByRole('button', { name: /^More about/ })
      .first()
      .click()
    await check(page, 'conversations')
    await page.getByRole('button', { name: 'Home', exact: true }).click()
    await page.getByRole('textbox', { name: 'Address' }).waitFor()
    await check(page, 'home')
    const stranger = await openPage(browser, served, { colorScheme, token: 'wrong' })
    await stranger.getByText('The server does not know this token.').waitFor()
    await check(stranger, 'without a token')
  })

test('at 360 pixels and at twice the size nothing is cut off, and the places are tabs', async () => {
  const served = await serveConversation()
  const page = await openPage(browser, served, { viewport: { width: 360, height: 700 } })
  const width = () => page.evaluate('document.documentElement.scrollWidth')
  await page.getByRole('button', { name: 'Approve', exact: true }).waitFor()
  await check(page, 'conversation at 360')
  expect(await width()).toBe(360)
  await goToPlace(page, 'Files')
  await fileRow(page, 'data/sales.xlsx').click() // leads to the stage
  await page.getByRole('grid').getByText('Rye bread').first().waitFor()
  await check(page, 'sheet at 360')
  expect(await width()).toBe(360)
  await openReview(page)
  await page.getByText('No draft is open.').waitFor()
  await page.getByRole('button', { name: 'Home', exact: true }).click()
  await page.getByRole('textbox', { name: 'Address' }).waitFor()
  await check(page, 'home at 360')
  expect(await width()).toBe(360)
  await page.getByRole('button', { name: 'Home', exact: true }).click()
  await page.setViewportSize({ width: 720, height: 450 }) // a window of 1440 × 900 at 200 %
  await goToPlace(page, 'Conversation')
  const ask = await page.getByRole('button', { name: 'Ask', exact: true }).boundingBox()
  expect(ask!.y + ask!.height).toBeLessThan(450)
  expect(await width()).toBe(720)
})
