import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask, askModel, call } from './asking.ts'
import { launchBrowser } from './browser.ts'
import { fileRow, goToPlace, openPage, openReview } from './open-page.ts'
import { serveSample } from './served.ts'

let browser: Browser

beforeAll(async () => {
  browser = await launchBrowser()
})

afterAll(() => browser?.close())

const LONG =
  'This agreement is made between the Harbour Bakery and the Seaside Hotel, and it ends on 31 December 2026.'

test('a long paragraph is read once, over the whole width, with what goes and what comes', async () => {
  const served = await serveSample()
  const edit = (...operations: object[]) =>
    served.call('docx_operations', { path: 'letter.docx', create_if_missing: true, operations })
  await edit({ op: 'append_paragraph', text: LONG })
  const page = await openPage(browser, served, { viewport: { width: 1440, height: 900 } })
  await openReview(page)
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByRole('button', { name: 'Undo' }).waitFor()
  await edit(
    { op: 'replace_text', search: 'December 2026', replace: 'March 2027' },
    { op: 'append_paragraph', text: 'Signed in Lund.' },
  )
  const changed = page.getByRole('article').filter({ has: page.locator('del') })
  await changed.waitFor()
  expect(await changed.locator('del').allTextContents()).toEqual([
    'removed December',
    'removed 2026',
  ])
  expect(await changed.locator('ins').allTextContents()).toEqual(['added March', 'added 2027'])
  const [text, card] = await Promise.all([
    changed.locator('del').first().locator('..').boundingBox(),
    changed.boundingBox(),
  ])
  expect(text!.width).toBeGreaterThan(card!.width * 0.9)
  const added = page.getByRole('article', { name: 'new paragraph', exact: true })
  await added.getByText('Signed in Lund.').waitFor() // and no id of it
  expect(await added.innerText()).toMatch(/after paragraph \d+/)
})

test('a sheet in the review holds no more rows than there are, and lets the review scroll on', async () => {
  const served = await serveSample()
  const cells = [{ cell: 'C2', value: 2000 }]
  const operations = [{ op: 'set_cells', sheet: 'Sales', cells }]
  await served.call('xlsx_operations', { path: 'data/sales.xlsx', operations })
  const page = await openPage(browser, served)
  await openReview(page)
  const grid = page.getByRole('grid', { name: 'data/sales.xlsx, sheet Sales' })
  await grid.getByText('2,000').waitFor()
  await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe('14') // 13, and the head
  expect(
    await grid.evaluate(
      'getComputedStyle(document.querySelector("[role=grid]")).overscrollBehavior',
    ),
  ).toBe('auto')
})

test('a file that the draft deletes or moves says so, in the list and on the stage', async () => {
  const served = await serveSample()
  const operations = [
    { op: 'delete', path: 'letters/offer-cafe-lindgren.txt' },
    { op: 'move', from: 'notes/2026-10-meeting.md', to: 'notes/archive/meeting.md' },
  ]
  await served.call('file_operations', { operations })
  const page = await openPage(browser, served)
  await fileRow(page, 'letters/offer-cafe-lindgren.txt deleted in the draft').click()
  await page.getByText('The draft deletes this file. This is the published one.').waitFor()
  await fileRow(page, 'notes/2026-10-meeting.md moved away in the draft').click()
  await page.getByText('The draft moves this file to notes/archive/meeting.md.').waitFor()
})

test('words that were looked for are not answered with what others found', async () => {
  const served = await serveSample()
  const page = await openPage(browser, served)
  let goOn = () => {}
  const held = new Promise<void>(resolve => (goOn = resolve))
  await page.route(/\/calls$/, async route => {
    await held
    await route.continue()
  })
  const box = page.getByRole('searchbox')
  await box.fill('oven')
  await page.getByRole('button', { name: 'Search “oven” in files' }).click()
  const answered = page.waitForResponse(/\/calls$/)
  await box.fill('bread')
  goOn()
  await answered
  const search = page.getByRole('region', { name: 'Search in files' })
  await search.getByRole('button', { name: 'Search “bread” in files' }).click()
  await search.getByText('sales.xlsx').first().waitFor()
  expect(await search.innerText()).not.toContain('oven')
  const files = await page.getByRole('searchbox').locator('..').locator('..').boundingBox()
  expect((await search.boundingBox())!.height).toBeGreaterThan(files!.height / 2) // no name has it
})

test('choices of any length stay inside their card', async () => {
  const choices = [
    'One',
    'Two, with the corrections that came by mail and were never entered '.repeat(3),
  ]
  const { page } = await askModel(browser, [
    { text: '', calls: [call('ask_person', { question: 'Which?', choices })] },
    { text: 'Good.' },
  ])
  await page.setViewportSize({ width: 360, height: 700 })
  await goToPlace(page, 'Conversation')
  await ask(page, 'Go')
  const card = page.getByRole('article', { name: 'Which?' })
  const choice = card.getByRole('button', { name: /^2\. Two/ })
  const [inner, outer] = await Promise.all([choice.boundingBox(), card.boundingBox()])
  expect(inner!.x + inner!.width).toBeLessThan(outer!.x + outer!.width)
})

test('what was denied in one conversation is not said in the next', async () => {
  const input = { path: 'asked.md', content: 'May I?\n' }
  const { page } = await askModel(browser, [
    { text: '', calls: [call('workspace_create_file', input)] },
    { text: 'Then not.' },
  ])
  await page.getByLabel('Changes go to').selectOption({ index: 1 })
  await ask(page, 'Go')
  await page.getByRole('button', { name: 'Deny' }).click()
  await page.getByText('Denied: Create asked.md.').waitFor()
  await page.getByText('Then not.').waitFor()
  await page.getByRole('button', { name: 'New conversation' }).click()
  await page.getByText('Say what should be done. @').waitFor()
  expect(await page.getByText('Denied: Create asked.md.').count()).toBe(0)
})

test('Markdown: a task has one box, and a column its own side', async () => {
  const text =
    '- [ ] open\n- [x] done\n\n- [x] apart\n\n  with more\n\n| a | b |\n| --- | ---: |\n| 1 | 2 |\n'
  const { page } = await askModel(browser, [{ text }])
  await ask(page, 'Go')
  const log = page.getByRole('log')
  await log.getByText('with more').waitFor()
  expect(await log.getByRole('checkbox').count()).toBe(3)
  expect(await log.innerText()).not.toMatch(/\[[ x]\]/)
  expect(
    await log.getByRole('cell', { name: '2', exact: true }).evaluate(cell => cell.style.textAlign),
  ).toBe('right')
})
