import { mkdirSync, readFileSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root, runNode, temporaryFolder } from '../commands/checkout.ts'
import { verifies } from '../verifies.ts'
import { launchBrowser } from './browser.ts'
import { fileRow, openPage, openReview, settle } from './open-page.ts'
import { type Served, serveSample } from './served.ts'

let browser: Browser

beforeAll(async () => {
  browser = await launchBrowser()
})

afterAll(() => browser?.close())

test('the page shows the files and takes the token out of the address', async () => {
  const page = await openPage(browser, await serveSample())
  await fileRow(page, 'notes/2026-10-meeting.md').waitFor()
  await openReview(page)
  await page.getByText('No draft is open.').waitFor()
  expect(page.url()).not.toContain('token')
  await page.reload()
  await fileRow(page, 'notes/2026-10-meeting.md').waitFor()
})

test('of many files only those in view are drawn, and each is found by its name or by going on', async () => {
  const served = await serveSample()
  mkdirSync(join(served.folder, 'many'))
  for (let n = 100; n < 550; n++) writeFileSync(join(served.folder, `many/${n}.txt`), '')
  writeFileSync(join(served.folder, 'many/Ünder the Rock.md'), '')
  const page = await openPage(browser, served)
  const files = page.getByRole('region', { name: 'Files' })
  await page.getByRole('treeitem', { name: /^many \d+, folder/ }).click()
  await fileRow(page, 'many/100.txt').waitFor()
  await expect.poll(() => files.getByRole('treeitem').count()).toBeLessThan(80)
  await expect.poll(() => fileRow(page, 'many/549.txt').count()).toBe(0)

  await page.getByRole('searchbox', { name: 'Find a file' }).fill('ünder THE')
  await fileRow(page, 'many/100.txt').waitFor({ state: 'detached' })
  await expect
    .poll(() => files.getByRole('treeitem').allTextContents())
    .toEqual(['Ünder the Rock.md many 0 B'])
  await page.getByRole('searchbox', { name: 'Find a file' }).fill('no such name')
  await files.getByText('No file has “no such name” in its name.').waitFor()

  await page.getByRole('searchbox', { name: 'Find a file' }).fill('')
  await fileRow(page, 'many/100.txt').waitFor()
  await files.getByRole('tree').focus()
  await page.keyboard.press('End')
  await fileRow(page, 'README.md').waitFor()
  for (let n = 0; n < 8; n++) await page.keyboard.press('ArrowUp')
  await fileRow(page, 'many/549.txt').waitFor()
})

test('files that no tool can use are listed below the others, with the reason', async () => {
  const served = await serveSample()
  symlinkSync('/etc/hostname', join(served.folder, 'out.txt'))
  writeFileSync(join(served.folder, 'bell\u0007.txt'), '')
  const page = await openPage(browser, served)
  const files = page.getByRole('region', { name: 'Files' })
  await files
    .getByText('Not listed: 2 more are in this folder, and no tool can use them.')
    .waitFor()
  await files.getByText('bell\\u{7}.txt: its name holds a control character').waitFor()
  await files.getByText('out.txt: it is a link that leads to no file in the workspace').waitFor()
  for (const path of ['bell\u0007.txt', 'out.txt']) unlinkSync(join(served.folder, path))
  await files.getByText('Not listed').waitFor({ state: 'detached' })
})

test('a folder with only unusable files is not called empty', async () => {
  const only = join(temporaryFolder(), 'only')
  mkdirSync(only)
  symlinkSync('/etc/hostname', join(only, 'out.txt'))
  const page = await openPage(browser, await serveSample({}, { others: [only] }))
  await page.getByRole('button', { name: 'only' }).click()
  await page.getByText('Not listed: one more is in this folder, and no tool can use it.').waitFor()
  await expect.poll(() => page.getByText('This folder is empty.').count()).toBe(0)
})

test('a home folder is scanned after a yes on the page, and the page does not ask again', async () => {
  const home = join(temporaryFolder(), 'home')
  mkdirSync(home)
  writeFileSync(join(home, 'letter.txt'), 'Dear Anna\n')
  const env = { HOME: home, FILEWRIGHT_STATE: temporaryFolder() }
  const served = await serveSample(env)
  const command = join(root, 'apps/cli/bin/filewright.cjs')
  const read = ['call', 'read_file', '{"path":"letter.txt"}', '-C', home]
  expect((await runNode([command, ...read], home, env)).code).toBe(0) // opens it, and scans nothing
  const page = await openPage(browser, served)
  await page.getByRole('button', { name: 'home', exact: true }).click()
  const files = page.getByRole('region', { name: 'Files' })
  await files.getByRole('alert').getByText('is a home folder').waitFor()
  await files.getByRole('button', { name: 'Scan all of it' }).click()
  await files.getByText('letter.txt').waitFor()
  await files.getByRole('alert').waitFor({ state: 'detached' })
  const listed = await runNode([command, 'call', 'list_files', '{}', '-C', home], home, env)
  expect(listed.code).toBe(0)
})

test('the page runs and styles only its own files', async () => {
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
  await expect.poll(() => page.getByText('added', { exact: true }).count()).toBe(2)
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('button', { name: 'Deny' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).waitFor() // it is written
  expect(read(served, 'notes/todo.md')).toBe(input.content)
})

verifies(
  'TUL-002 §7.2 keys in the interface',
  "a person at the page sees the model's labels and keys next to what they name",
  async () => {
    const served = await serveSample()
    const { file } = await served.call('workspace_read_file', { path: 'README.md' })
    const change = { operation: 'insert', afterLine: 0, newLines: ['New'], changeKey: 'first-line' }
    const named = { fileKey: 'readme', fileLabel: 'The front page', changes: [change] }
    const files = [
      { docPath: 'readme.md', originalSha256: (file as { version: string }).version, ...named },
    ]
    const batch = { batchKey: 'greet', batchLabel: 'Greet the reader', files }
    expect(await served.call('workspace_write_patch', batch)).toMatchObject({ pending: true })
    const page = await openPage(browser, served)
    const asked = page.getByRole('article', { name: 'Greet the reader' })
    expect(await asked.getByRole('heading', { level: 3 }).textContent()).toBe(
      'Greet the reader greet',
    )
    const heading = asked.getByRole('heading', { level: 4 })
    expect(await heading.textContent()).toBe('README.mdThe front page readme')
    await asked.getByRole('checkbox', { name: /first-line/ }).waitFor()
  },
)

test('a denied change is not written', async () => {
  const served = await serveSample()
  const input = { path: 'README.md', content: 'gone\n', overwrite: true }
  expect(await served.call('workspace_create_file', input)).toMatchObject({ pending: true })
  const before = read(served, 'README.md')
  const page = await openPage(browser, served)
  await page.getByRole('button', { name: 'Deny' }).click()
  await page.getByRole('button', { name: 'Deny' }).waitFor({ state: 'detached' })
  expect(read(served, 'README.md')).toBe(before)
})

test('a person publishes the ticked changes of a draft, and refuses the others later', async () => {
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
  await openReview(page)
  await page.getByText('Apple cake;slice;4.35').waitFor()
  expect(read(served, 'data/prices.csv')).toBe(before)
  await settle(page, 'Leave', 'Apple cake')
  await page.getByText('1 change to 1 file will be written, 1 stay in the draft').waitFor()
  await page.getByRole('button', { name: 'Publish 1 of 2' }).click()
  await page.getByText('1 other change stays in the draft').waitFor()
  await page.getByRole('button', { name: 'Undo' }).waitFor()
  expect(read(served, 'data/prices.csv')).toBe(before.replace('6.40', '6.65'))
  await page.getByText('Apple cake;slice;4.35').waitFor()
  await settle(page, 'Refuse', 'Apple cake')
  await page.getByRole('button', { name: 'Refuse all 1' }).click()
  await page.getByText('No draft is open.').waitFor()
  expect(read(served, 'data/prices.csv')).toBe(before.replace('6.40', '6.65'))
})

test('a wrong token leads to the page that asks for the right one', async () => {
  const served = await serveSample()
  const page = await openPage(browser, served, { token: 'wrong' })
  await page.getByText('The server does not know this token.').waitFor()
  await page.getByLabel('Address or token').fill(served.url.href)
  await page.getByRole('button', { name: 'Open' }).click()
  await fileRow(page, 'notes/2026-10-meeting.md').waitFor()
})

function read({ folder }: Served, path: string): string {
  return readFileSync(join(folder, path), 'utf8')
}
