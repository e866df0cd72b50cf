import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../commands/checkout.ts'
import { ownPort } from '../own-port.ts'
import { launchBrowser } from './browser.ts'
import { fileRow, goToPlace, openPage, openReview } from './open-page.ts'
import { type Served, serveSample } from './served.ts'

let browser: Browser

beforeAll(async () => {
  browser = await launchBrowser()
})

afterAll(() => browser?.close())

test('what the person did not see is not published', async () => {
  const served = await serveSample()
  await served.call('write_text_file', { path: 'seen.md', content: 'seen\n' })
  const page = await openPage(browser, served)
  // from here on the page hears only of the draft as it is now
  const drafts = await page.waitForResponse(/\/drafts\?/).then(response => response.body())
  await page.route(/\/drafts\?/, route => route.fulfill({ body: drafts }))
  await page.waitForResponse(/\/drafts\?/) // one at a time: no earlier one is under way
  await openReview(page)
  await page.getByRole('button', { name: 'Publish' }).waitFor()
  await served.call('write_text_file', { path: 'unseen.md', content: 'unseen\n' })
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByText('Nothing was written: the draft has changed').waitFor()
  await page.getByRole('region', { name: 'unseen.md' }).waitFor()
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByRole('button', { name: 'Undo' }).waitFor()
  expect(read(served, 'unseen.md')).toBe('unseen\n')
})

test('a publish can be undone and redone where it was made', async () => {
  const served = await serveSample()
  const edits = [{ search: 'Rye bread;1 kg;6.40', replace: 'Rye bread;1 kg;6.65' }]
  await served.call('edit_text_file', { path: 'data/prices.csv', edits })
  const before = read(served, 'data/prices.csv')
  const page = await openPage(browser, served)
  await openReview(page)
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone: data/prices.csv.').waitFor()
  expect(read(served, 'data/prices.csv')).toBe(before)
  await page.getByRole('button', { name: 'Redo' }).click()
  await page.getByText('Redone: data/prices.csv.').waitFor()
  expect(read(served, 'data/prices.csv')).toBe(before.replace('6.40', '6.65'))
})

test('a change that meets what somebody else saved is decided on the page', async () => {
  const served = await serveSample()
  const edits = [{ search: 'Rye bread;1 kg;6.40', replace: 'Rye bread;1 kg;6.65' }]
  await served.call('edit_text_file', { path: 'data/prices.csv', edits })
  const saved = read(served, 'data/prices.csv').replace('6.40', '6.50')
  writeFileSync(join(served.folder, 'data/prices.csv'), saved)
  const page = await openPage(browser, served)
  await openReview(page)
  await page.getByRole('region', { name: 'Conflicts' }).getByText('6.50').waitFor()
  await page.getByRole('button', { name: 'Keep the draft’s' }).click()
  await page.getByRole('region', { name: 'Conflicts' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByRole('button', { name: 'Undo' }).waitFor()
  expect(read(served, 'data/prices.csv')).toBe(saved.replace('6.50', '6.65'))
})

test('a draft is discarded only when the person confirms it', async () => {
  const served = await serveSample()
  await served.call('write_text_file', { path: 'a.md', content: 'a\n' })
  const page = await openPage(browser, served)
  await openReview(page)
  page.once('dialog', dialog => dialog.dismiss())
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('region', { name: 'a.md' }).waitFor()
  page.once('dialog', dialog => dialog.accept())
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByText('Discarded. No file was changed.').waitFor()
})

test('an approval whose file has changed says that nothing was written', async () => {
  const served = await serveSample()
  const change = {
    operation: 'replace',
    startLine: 3,
    endLine: 3,
    expectedOriginalLines: ['VAT_FOOD = 0.07'],
    newLines: ['VAT_FOOD = 0.05'],
  }
  const files = [{ docPath: 'src/invoice.py', originalSha256: 'cc2a598a', changes: [change] }]
  expect(await served.call('workspace_write_patch', { files })).toMatchObject({ pending: true })
  const page = await openPage(browser, served)
  await page.getByRole('button', { name: 'Approve' }).waitFor()
  const changed = read(served, 'src/invoice.py').replace('0.07', '0.19')
  writeFileSync(join(served.folder, 'src/invoice.py'), changed)
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('alert').getByText('Nothing was written').waitFor()
  expect(read(served, 'src/invoice.py')).toBe(changed)
})

test('of a thousand changes only those in view are drawn, and all are decided at once', async () => {
  const served = await serveSample()
  const lines = (word: string) =>
    Array.from({ length: 1000 }, (_, at) => `${word} ${at}\n`).join('')
  writeFileSync(join(served.folder, 'many.txt'), lines('old'))
  const edits = [{ search: 'old', replace: 'new', all: true }]
  await served.call('edit_text_file', { path: 'many.txt', edits })
  await served.call('write_text_file', { path: 'long.txt', content: lines('line') })
  const page = await openPage(browser, served)
  await openReview(page)
  const many = page.getByRole('region', { name: 'many.txt' })
  await many.getByRole('button', { name: 'Refuse: all changes of many.txt' }).click()
  await page.getByText('1 change to 1 file will be written, 1000 refused').waitFor()
  await expect.poll(() => page.getByRole('article').count()).toBeLessThan(50)
  await page.keyboard.press('j')
  await page.locator('article[aria-current]').getByText('new 0', { exact: true }).waitFor()
  const changes = page.getByRole('region', { name: 'Changes' })
  await changes.focus()
  const more = page.getByRole('button', { name: '800 more lines' })
  await expect
    .poll(async () => {
      await page.keyboard.press('End') // heights are measured as rows come into view
      return more.count()
    })
    .toBe(1)
  await more.click()
  await page.getByRole('button', { name: 'Publish 1 of 1001' }).click()
  await page.getByRole('button', { name: 'Undo' }).waitFor()
  expect(read(served, 'many.txt')).toBe(lines('old'))
  expect(read(served, 'long.txt')).toBe(lines('line'))
})

test('a jump to a file is where the keys go on, and what goes along with a decision is told', async () => {
  const served = await serveSample()
  const lines = read(served, 'data/prices.csv').split('\n')
  const content = lines.map((line, at) => (at % 2 === 1 ? `${line} ` : line)).join('\n')
  expect(await served.call('write_text_file', { path: 'data/prices.csv', content })).toMatchObject({
    success: true,
  })
  await served.call('write_text_file', { path: 'notes/todo.md', content: '- almonds\n' })
  const page = await openPage(browser, served, { viewport: { width: 1440, height: 900 } })
  await openReview(page)
  await page.keyboard.press('j')
  await expect.poll(() => page.getByRole('article').count()).toBeGreaterThan(2)
  await page.getByRole('navigation', { name: 'Changed files' }).getByText('todo.md').click()
  await page.keyboard.press('r')
  await page.getByText('1 refused').waitFor()
  await page.keyboard.press('k') // back into the other file
  await page.keyboard.press('l')
  await page.getByText(/go(es)? along: they belong together/).waitFor()
})

test('names and lines cannot hide what they are', async () => {
  const served = await serveSample()
  const disguised = 'invoice\u202efdp.exe'
  await served.call('write_text_file', { path: disguised, content: 'is\u2066Admin\u200b\n' })
  await served.call('write_text_file', { path: '<img src=x onerror=alert(1)>.md', content: 'a\n' })
  const page = await openPage(browser, served)
  page.on('dialog', dialog => expect.fail(dialog.message()))
  await openReview(page)
  await page.getByText('is\\u{2066}Admin\\u{200b}').waitFor()
  await expect.poll(() => page.getByText('invoice\\u{202e}fdp.exe').count()).toBeGreaterThan(1)
  await page.getByRole('heading', { name: '<img src=x onerror=alert(1)>.md' }).waitFor()
  expect(await page.content()).not.toContain('\u202e')
})

test('nothing is wider than a narrow window', async () => {
  const served = await serveSample()
  const name = `${'long'.repeat(40)}.md`
  await served.call('write_text_file', { path: name, content: `${name.repeat(9)}\n` })
  await served.call('workspace_create_file', { path: `notes/${name}`, content: 'a\n' })
  const page = await openPage(browser, served)
  await page.setViewportSize({ width: 360, height: 700 })
  await goToPlace(page, 'Stage')
  await openReview(page)
  await page.getByRole('button', { name: 'Publish' }).waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
  await goToPlace(page, 'Conversation')
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  await page.getByRole('button', { name: 'Undo' }).waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
})

test('folders of the same name are distinguished, and the selected one is still there after a reload', async () => {
  const other = join(temporaryFolder(), 'elsewhere', 'sample')
  mkdirSync(other, { recursive: true })
  writeFileSync(join(other, 'only-here.md'), 'here\n')
  const page = await openPage(browser, await serveSample({}, { others: [other] }))
  await page.getByRole('button', { name: 'elsewhere/sample' }).click()
  await fileRow(page, 'only-here.md').waitFor()
  await page.reload()
  await fileRow(page, 'only-here.md').waitFor()
  await expect.poll(() => page.getByRole('button', { name: /sample$/ }).count()).toBe(2)
  await page.getByText(other, { exact: true }).waitFor()
})

test('a lost server is reported once, and the page continues when it is back', async () => {
  const served = await serveSample({}, { port: await ownPort() })
  const page = await openPage(browser, served)
  await fileRow(page, 'README.md').waitFor()
  await served.stop()
  const gone = page.getByText('The server does not answer')
  await gone.first().waitFor()
  await page.getByRole('textbox', { name: 'What should be done?' }).fill('Are you there?')
  await page.getByRole('button', { name: 'Ask' }).click()
  await page.getByText('The server did not answer, so this may not have been done.').waitFor()
  await expect.poll(() => gone.count()).toBe(1)
  await served.startAgain()
  await gone.waitFor({ state: 'detached' })
  writeFileSync(join(served.folder, 'after.md'), 'back\n')
  await fileRow(page, 'after.md').waitFor()
})

function read({ folder }: Served, path: string): string {
  return readFileSync(join(folder, path), 'utf8')
}
