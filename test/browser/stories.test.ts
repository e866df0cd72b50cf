import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { unwrap } from '@filewright/protocol'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { unpack } from '../../packages/documents/src/opc/package.ts'
import { readZip } from '../../packages/documents/src/opc/zip.ts'
import { root } from '../commands/checkout.ts'
import { fakeModel } from '../fake-model.ts'
import { ownPort } from '../own-port.ts'
import { ask, askModel, call, hasAsked } from './asking.ts'
import { launchBrowser } from './browser.ts'
import { fileRow, openPage, openReview, settle } from './open-page.ts'
import { serveSample } from './served.ts'

let browser: Browser

beforeAll(async () => {
  browser = await launchBrowser()
})

afterAll(() => browser?.close())

test('a model is set up and tried on the page; its key is in no answer, and a new host gets none', async () => {
  const model = await fakeModel([{ text: 'Hello from the model.' }])
  const served = await serveSample({ FILEWRIGHT_MODEL: '' })
  const page = await openPage(browser, served)
  const answers: string[] = []
  page.on('response', async response => {
    if (/\/api\/models/.test(response.url())) answers.push(await response.text().catch(() => ''))
  })
  await page.getByRole('button', { name: 'Home', exact: true }).click()
  const settings = page.getByRole('region', { name: 'Model settings' })
  await settings.getByRole('textbox', { name: 'Address' }).fill(model.baseUrl)
  await settings.getByLabel('Key', { exact: true }).fill('sk-never-told')
  await settings.getByRole('combobox', { name: 'Model', exact: true }).fill('fake')
  await settings.getByRole('button', { name: 'Use and test it' }).click()
  await settings.getByText('fake answers: Hello from the model.').waitFor()
  expect(model.requests[0]!.authorization).toBe('Bearer sk-never-told')
  await page.getByRole('button', { name: 'Home', exact: true }).click()
  const picker = page.getByRole('region', { name: 'Conversation' }).getByRole('combobox')
  await expect.poll(() => picker.last().locator('option').first().textContent()).toBe('fake')
  await ask(page, 'Hello')
  await page.getByRole('log').getByText('Hello from the model.').waitFor()
  expect(answers.length).toBeGreaterThan(2)
  expect(answers.join()).not.toContain('sk-never-told')

  const other = await fakeModel([{ text: 'Somebody else.' }])
  await page.getByRole('button', { name: 'Home', exact: true }).click()
  await settings.getByRole('textbox', { name: 'Address' }).fill(other.baseUrl)
  await settings.getByRole('button', { name: 'Use and test it' }).click()
  await settings.getByText('fake answers: Somebody else.').waitFor()
  expect(other.requests[0]!.authorization ?? '').not.toContain('sk-never-told')
  await settings.getByPlaceholder('None is set').waitFor()
})

test('upload, ask, review by cell, publish some, reload, undo', async () => {
  const cells = [
    { cell: 'C2', value: 2000 },
    { cell: 'C3', value: 3000 },
    { cell: 'C4', value: 4000 },
  ]
  const operations = [{ op: 'set_cells', sheet: 'Sales', cells }]
  const { page, served } = await askModel(browser, [
    { text: 'I set them.', calls: [call('xlsx_operations', { path: 'brought.xlsx', operations })] },
    { text: 'Three cells wait for you.' },
  ])
  const bytes = readFileSync(join(root, 'sample/data/sales.xlsx'))
  await page
    .getByLabel('Files to add')
    .setInputFiles({ name: 'brought.xlsx', mimeType: 'application/octet-stream', buffer: bytes })
  await fileRow(page, 'brought.xlsx').waitFor()
  await ask(page, 'Round the pieces')
  await page.getByRole('log').getByText('1 file in the draft').waitFor()
  await openReview(page)
  await page.getByRole('tab', { name: 'Changes 1 file' }).waitFor() // what the run closed with
  const grid = page.getByRole('grid', { name: 'brought.xlsx, sheet Sales' })
  await grid.getByText('3,000').waitFor()
  await grid.locator('[data-change]').nth(1).click()
  await page.locator('article[aria-current]').filter({ hasText: 'Sales!C3' }).waitFor()
  await page.keyboard.press('r')
  await settle(page, 'Leave', 'Sales!C4')
  await page
    .getByText('1 change to 1 file will be written, 1 refused, 1 stay in the draft')
    .waitFor()
  await page.getByRole('button', { name: 'Publish 1 of 3' }).click()
  await page.getByRole('button', { name: 'Undo' }).waitFor()
  const written = readFileSync(join(served.folder, 'brought.xlsx'))
  expect(written.equals(bytes)).toBe(false)
  await fileRow(page, 'brought.xlsx').click()
  await page.getByRole('button', { name: 'Versions' }).click()
  const versions = page.getByRole('region', { name: 'Versions' })
  await versions.getByText(/written by Filewright.*in “Round the pieces”, by tc_/).waitFor()
  expect(await versions.getByRole('listitem').count()).toBeGreaterThan(1) // the one that came before it, too
  await openReview(page)

  await page.reload()
  await page.getByRole('article', { name: 'Sales!C4' }).waitFor() // it stayed
  expect(await page.getByRole('article').count()).toBe(1)
  await page.getByRole('tab', { name: 'History' }).click()
  const sets = page.getByRole('region', { name: 'Published' }).getByRole('listitem')
  await sets.first().getByRole('button', { name: /^Undo/ }).click()
  await sets.first().getByRole('button', { name: /^Redo/ }).waitFor()
  await expect
    .poll(() => readFileSync(join(served.folder, 'brought.xlsx')).equals(bytes))
    .toBe(true)
})

test('a file is looked at as draft and as published, and asked about', async () => {
  const { page, served, model } = await askModel(browser, [{ text: 'It is rye.' }])
  const edits = [{ search: '6.40', replace: '6.65' }]
  await served.call('edit_text_file', { path: 'data/prices.csv', edits })
  await fileRow(page, 'data/prices.csv changed in the draft').click()
  const grid = page.getByRole('grid', { name: 'data/prices.csv' })
  await grid.getByText('6.65').waitFor()
  await page.getByRole('button', { name: 'Published', exact: true }).click()
  await grid.getByText('6.40').waitFor()
  await grid.getByText('6.40').click()
  await page.getByRole('button', { name: 'Ask about it' }).click()
  const box = page.getByRole('textbox', { name: 'What should be done?' })
  await expect.poll(() => box.inputValue()).toContain('> 6.40')
  await box.press('End')
  await box.pressSequentially('Which bread?')
  await box.press('Enter')
  await page.getByRole('log').getByText('It is rye.').waitFor()
  expect(JSON.stringify(model.requests[0]!.messages)).toContain('Which bread?')
})

test('a run goes on after a reload and after a restart of the server, and loses no word', async () => {
  const model = await fakeModel([
    { text: 'First I look.', calls: [call('list_files', {})] },
    { text: 'Then I write.', calls: [call('write_text_file', { path: 'a.md', content: 'a\n' })] },
    { text: 'That was all.' },
  ])
  let goOn = (_: boolean) => {}
  const silence = new Promise<boolean>(resolve => (goOn = resolve))
  let isHeld = true
  model.onRequest = step => (step === 1 && isHeld ? silence : true)
  const env = { FILEWRIGHT_BASE_URL: model.baseUrl, FILEWRIGHT_MODEL: 'fake' }
  const served = await serveSample(env, { port: await ownPort() })
  const page = await openPage(browser, served)
  const log = page.getByRole('log')
  await ask(page, 'Do it')
  await log.getByText('First I look.').waitFor()
  await hasAsked(model, 2)
  await page.reload()
  await log.getByText('First I look.').waitFor()
  await log.getByText('Thinking …').waitFor()
  await served.stop()
  isHeld = false
  goOn(false)
  await served.startAgain()
  await log.getByText('1 file in the draft').waitFor()
  for (const words of ['Do it', 'First I look.', 'Then I write.', 'That was all.'])
    expect(await log.getByText(words).count(), words).toBe(1)
})

test('with the keyboard alone: ask, review, decide, publish', async () => {
  const insert = { path: 'notes/todo.md', content: '- almonds\n' }
  const { page, served } = await askModel(browser, [
    {
      text: 'Two files.',
      calls: [
        call('write_text_file', insert),
        call('write_text_file', { path: 'notes/other.md', content: 'no\n' }),
      ],
    },
    { text: 'Done.' },
  ])
  await fileRow(page, 'README.md').waitFor()
  await tabTo(page, 'textarea')
  await page.keyboard.type('Make a list')
  await page.keyboard.press('Enter')
  await page.getByRole('log').getByText('2 files in the draft').waitFor()
  await tabTo(page, 'button:text("Review the changes")')
  await page.keyboard.press('Enter')
  await page.getByRole('article').first().waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('a')
  await page.keyboard.press('j')
  await page.keyboard.press('r')
  await page.getByText('1 change to 1 file will be written, 1 refused').waitFor()
  await tabTo(page, 'button:text("Publish 1 of 2")')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Undo' }).waitFor()
  expect(readFileSync(join(served.folder, insert.path), 'utf8')).toBe(insert.content)
  expect(existsSync(join(served.folder, 'notes/other.md'))).toBe(false)
})

test('a second tab needs no address with a token, and one without any asks for it', async () => {
  const served = await serveSample()
  const page = await openPage(browser, served)
  await fileRow(page, 'README.md').waitFor()
  const second = await page.context().newPage()
  await second.goto(new URL('/', served.url).href)
  await fileRow(second, 'README.md').waitFor()
  const stranger = await (await browser.newContext()).newPage()
  await stranger.goto(new URL('/', served.url).href)
  await stranger.getByText('This page needs the token').waitFor()
  const later = await stranger.context().newPage() // the token comes with a tab that opens later
  await later.goto(served.url.href)
  await fileRow(later, 'README.md').waitFor()
  await fileRow(stranger, 'README.md').waitFor()
  await stranger.context().close()
})

test('conversations are named, pinned, archived, exported and deleted', async () => {
  const { page } = await askModel(browser, [{ text: 'An answer.' }])
  await ask(page, 'Ask about bread')
  await page.getByRole('log').getByText('No file was changed').waitFor()
  await page.getByRole('button', { name: 'Earlier conversations' }).click()
  const list = page.getByRole('navigation', { name: 'Earlier conversations' })
  await list.getByRole('button', { name: 'More about Ask about bread' }).click()
  page.once('dialog', dialog => dialog.accept('Bread'))
  await list.getByRole('button', { name: 'Rename' }).click()
  await list.getByRole('button', { name: /^Bread/ }).waitFor()
  await list.getByRole('button', { name: 'Pin', exact: true }).click()
  await list.getByRole('button', { name: 'Unpin' }).waitFor()
  const download = page.waitForEvent('download')
  await list.getByRole('button', { name: 'Export' }).click()
  const path = await (await download).path()
  expect(readFileSync(path, 'utf8')).toContain('**You:** Ask about bread')
  await list.getByRole('button', { name: 'Archive' }).click()
  await list.getByText('None yet.').waitFor()
  await list.getByLabel('archived too').check()
  await list.getByRole('button', { name: 'More about Bread' }).click()
  page.once('dialog', dialog => dialog.accept())
  await list.getByRole('button', { name: 'Delete' }).click()
  await list.getByText('None yet.').waitFor()
})

test('a folder is opened by its path, an empty one is made, and a rule is made and revoked', async () => {
  const served = await serveSample()
  const page = await openPage(browser, served)
  await page.getByRole('button', { name: 'Home', exact: true }).click()
  await page.getByLabel('Path of a folder').fill(join(served.folder, 'notes'))
  await page.getByRole('button', { name: 'Open this folder' }).click()
  await page.getByRole('treeitem', { name: /^2026-10-meeting.md/ }).waitFor()
  await page.getByRole('button', { name: 'Home', exact: true }).click()
  await page.getByRole('button', { name: 'New empty workspace' }).click()
  await page.getByText('This folder is empty. Drop files here to begin.').waitFor()
  await page.getByRole('button', { name: /^sample/ }).click()
  const input = { path: 'notes/todo.md', content: '- almonds\n' }
  expect(await served.call('workspace_create_file', input)).toMatchObject({ pending: true })
  await page.getByText('Do not ask again about this').click()
  await page
    .getByText('notes/todo.md may be written without asking by workspace_create_file.')
    .waitFor()
  await page.getByRole('button', { name: 'Approve, and always', exact: true }).click()
  await page.getByRole('button', { name: 'Undo' }).waitFor()
  await page.getByRole('tab', { name: 'History' }).click()
  const rules = page.getByRole('region', { name: 'Rules' })
  await rules.getByRole('button', { name: /^Revoke: notes\/todo.md/ }).click()
  await rules.getByText('None. You are asked').waitFor()
})

test('a folder that was opened here is opened again by one click after a restart, and unsent words stay', async () => {
  const served = await serveSample({}, { port: await ownPort() })
  const page = await openPage(browser, served)
  await page.getByRole('button', { name: 'Home', exact: true }).click()
  await page.getByLabel('Path of a folder').fill(join(served.folder, 'notes'))
  await page.getByRole('button', { name: 'Open this folder' }).click()
  const row = page.getByRole('treeitem', { name: /^2026-10-meeting.md/ })
  await row.waitFor()
  await page.getByRole('tab', { name: 'History' }).click()
  const box = page.getByRole('textbox', { name: 'What should be done?' })
  await box.fill('Half a sentence')
  await served.stop()
  const gone = page.getByText('The server does not answer')
  await gone.first().waitFor()
  await page.waitForTimeout(3000) // the history asks again too
  expect(await gone.count()).toBe(1)
  await served.startAgain()
  await page.getByText('The folder notes is not open now.').waitFor()
  await page.getByRole('button', { name: 'Open it' }).click()
  await row.waitFor()
  expect(await box.inputValue()).toBe('Half a sentence')
})

test('a file and the whole workspace are downloaded as they are', async () => {
  const served = await serveSample()
  writeFileSync(join(served.folder, 'notes/ünder the rock.md'), '')
  const page = await openPage(browser, served)
  await fileRow(page, 'notes/ünder the rock.md').waitFor()
  const whole = page.waitForEvent('download')
  await page.getByRole('button', { name: /^Download all files/ }).click()
  const archive = unwrap(readZip(readFileSync(await (await whole).path())))
  const names = archive.entries.map(({ name }) => name)
  expect(names).toContain('notes/ünder the rock.md')
  for (const entry of archive.entries)
    expect(Buffer.from(unwrap(unpack(archive, entry))), entry.name).toEqual(
      readFileSync(join(served.folder, entry.name)),
    )
  await fileRow(page, 'README.md').click()
  const one = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  expect(readFileSync(await (await one).path())).toEqual(
    readFileSync(join(served.folder, 'README.md')),
  )
})

/** As a person would: one stop after the other. */
async function tabTo(page: Page, selector: string): Promise<void> {
  const target = page.locator(selector).first()
  await target.waitFor()
  for (let stops = 0; stops < 200; stops++) {
    if ((await page.locator(':focus').and(target).count()) > 0) return
    await page.keyboard.press('Tab')
  }
  expect.fail(`The keyboard does not reach ${selector}`)
}
