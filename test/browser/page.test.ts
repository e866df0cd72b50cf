import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from './browser.ts'
import { openPage } from './open-page.ts'
import { type Served, serveSample } from './served.ts'

let browser: Browser

beforeAll(async () => {
  browser = await launchBrowser()
})

afterAll(() => browser?.close())

test('the page shows the files and takes the token out of the address', async () => {
  const page = await openPage(browser, await serveSample())
  await page.getByText('notes/2026-10-meeting.md').waitFor()
  await page.getByText('Nothing waits for a decision.').waitFor()
  await page.getByText('No draft is open.').waitFor()
  expect(page.url()).not.toContain('token')
  await page.reload()
  await page.getByText('notes/2026-10-meeting.md').waitFor()
})

test('a file beyond the first 200 is found by its name, or by going on', async () => {
  const served = await serveSample()
  mkdirSync(join(served.folder, 'many'))
  for (let n = 100; n < 550; n++) writeFileSync(join(served.folder, `many/${n}.txt`), '')
  writeFileSync(join(served.folder, 'many/Ünder the Rock.md'), '')
  const page = await openPage(browser, served)
  const files = page.getByRole('region', { name: 'Files' })
  await files.getByRole('button', { name: /^\d+ more files/ }).waitFor()
  expect(await files.getByText('many/549.txt').count()).toBe(0)

  await page.getByRole('searchbox', { name: 'Find a file' }).fill('ünder THE')
  await files.getByText('many/100.txt').waitFor({ state: 'detached' })
  expect(await files.getByRole('listitem').allTextContents()).toEqual(['many/Ünder the Rock.md0 B'])
  await page.getByRole('searchbox', { name: 'Find a file' }).fill('no such name')
  await files.getByText('No file has “no such name” in its name.').waitFor()

  await page.getByRole('searchbox', { name: 'Find a file' }).fill('')
  await files.getByRole('button', { name: /more files/ }).click()
  await files.getByText('many/400.txt').waitFor()
  await files.getByRole('button', { name: /more files/ }).click()
  await files.getByText('many/549.txt').waitFor()
})

test('the page may run and style nothing that is not its own file', async () => {
  const { url } = await serveSample()
  const policy = (await fetch(url)).headers.get('content-security-policy')
  expect(policy).toContain("default-src 'self'")
  expect(policy).not.toContain('unsafe')
})

test('a person sees what a tool wants to write, approves it, and it is on disk', async () => {
  const served = await serveSample()
  const input = { path: 'notes/todo.md', content: '- almonds\n- raisins\n' }
  expect(await served.call('workspace_create_file', input)).toMatchObject({ pending: true })
  const page = await openPage(browser, served)
  await page.getByText('- raisins').waitFor()
  expect(await page.getByText('added', { exact: true }).count()).toBe(2)
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('Nothing waits for a decision.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).waitFor() // it is written
  expect(read(served, 'notes/todo.md')).toBe(input.content)
})

test('a denied change is not written', async () => {
  const served = await serveSample()
  const input = { path: 'README.md', content: 'gone\n', overwrite: true }
  expect(await served.call('workspace_create_file', input)).toMatchObject({ pending: true })
  const before = read(served, 'README.md')
  const page = await openPage(browser, served)
  await page.getByRole('button', { name: 'Deny' }).click()
  await page.getByText('Nothing waits for a decision.').waitFor()
  expect(read(served, 'README.md')).toBe(before)
})

test('of a draft, a person publishes only the changes that stay ticked', async () => {
  const served = await serveSample()
  const edits = [
    { search: 'Rye bread;1 kg;6.40', replace: 'Rye bread;1 kg;6.65' },
    { search: 'Apple cake;slice;4.20', replace: 'Apple cake;slice;4.35' },
  ]
  expect(await served.call('edit_text_file', { path: 'data/prices.csv', edits })).toMatchObject({
    success: true,
  })
  const before = read(served, 'data/prices.csv')
  const page = await openPage(browser, served)
  await page.getByRole('button', { name: 'Review' }).click()
  await page.getByText('Apple cake;slice;4.35').waitFor()
  expect(read(served, 'data/prices.csv')).toBe(before)
  await page.getByRole('checkbox').last().uncheck()
  await page.getByRole('button', { name: 'Publish 1 of 2' }).click()
  await page.getByText('No draft is open.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).waitFor()
  expect(read(served, 'data/prices.csv')).toBe(before.replace('6.40', '6.65'))
})

test('a wrong token leads to the page that asks for the right one', async () => {
  const served = await serveSample()
  const page = await openPage(browser, served, 'wrong')
  await page.getByText('The server does not know this token any more.').waitFor()
  await page.getByLabel('Address or token').fill(served.url.href)
  await page.getByRole('button', { name: 'Open' }).click()
  await page.getByText('notes/2026-10-meeting.md').waitFor()
})

function read({ folder }: Served, path: string): string {
  return readFileSync(join(folder, path), 'utf8')
}
