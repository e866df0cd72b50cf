import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildZip } from '../../packages/documents/src/opc/zip.contract.ts'
import { ask, askModel, call } from './asking.ts'
import { launchBrowser } from './browser.ts'
import { fileRow, openPage } from './open-page.ts'
import { serveSample } from './served.ts'

let browser: Browser

beforeAll(async () => {
  browser = await launchBrowser()
})

afterAll(() => browser?.close())

test('files are dropped anywhere on the list; beside it a drop changes nothing', async () => {
  const served = await serveSample()
  const page = await openPage(browser, served)
  await fileRow(page, 'README.md').waitFor()
  const before = page.url()
  expect(await drop(page, '[aria-label=Stage]', ['lost.txt'])).toBe(true)
  expect(await drop(page, '[role=tree]', ['one.txt', 'two.txt'])).toBe(true)
  await page.getByText('Added 2 files').waitFor()
  await fileRow(page, 'two.txt 7 B').waitFor()
  expect(readFileSync(join(served.folder, 'one.txt'), 'utf8')).toBe('one.txt')
  expect(existsSync(join(served.folder, 'lost.txt'))).toBe(false)
  expect(page.url()).toBe(before)
})

test('home has the conversations of the workspace, and opens one; a sample workspace comes with its files', async () => {
  const { page } = await askModel(browser, [{ text: 'An answer.' }])
  await ask(page, 'Ask about bread')
  const log = page.getByRole('log')
  await log.getByText('No file was changed').waitFor()
  await page.getByRole('button', { name: 'New conversation' }).click()
  await log.getByText('An answer.').waitFor({ state: 'detached' })
  const home = page.getByRole('button', { name: 'Home', exact: true })
  await home.click()
  const recent = page.getByRole('region', { name: 'Recent conversations' })
  await recent.getByRole('searchbox').fill('BREAD')
  await recent.getByRole('button', { name: /^Ask about bread/ }).click()
  await log.getByText('An answer.').waitFor()
  await home.click()
  await page.getByRole('button', { name: 'New one with sample files' }).click()
  await fileRow(page, 'data/sales.xlsx').click()
  await page.getByRole('grid').getByText('Rye bread').first().waitFor()
  await fileRow(page, 'notes/2026-10-meeting.md').waitFor()
})

test('the names of files and commands are completed, and a command does what it says', async () => {
  const { page, model } = await askModel(browser, [{ text: 'Read.' }])
  await fileRow(page, 'README.md').waitFor()
  const box = page.getByRole('textbox', { name: 'What should be done?' })
  await box.pressSequentially('Read @meet')
  await page.getByRole('option', { name: /notes\/2026-10-meeting\.md/ }).waitFor()
  await box.press('Enter')
  await expect.poll(() => box.inputValue()).toBe('Read @notes/2026-10-meeting.md ')
  await box.press('Enter')
  await page.getByRole('log').getByText('Read.', { exact: true }).waitFor()
  expect(JSON.stringify(model.requests[0]!.messages)).toContain('almond') // its content went along
  await box.pressSequentially('/hi')
  await page.getByRole('option', { name: /history/ }).waitFor()
  await box.press('Tab')
  await box.press('Enter')
  await page.getByText('Nothing yet.').waitFor()
})

test('a person who looks elsewhere is told that a run waits, and that it is done', async () => {
  const { page } = await askModel(browser, [
    {
      text: '',
      calls: [call('ask_person', { question: 'Which year?', choices: ['2025', '2026'] })],
    },
    { text: 'Then so.' },
  ])
  await page.context().grantPermissions(['notifications'])
  // The real notices, counted. A test's page is never hidden by itself, and a headless shell grants what it is asked for, but
  // still says "denied".
  await page.addInitScript(`
    window.told = []
    window.Notification = class extends Notification {
      static permission = 'default'
      static async requestPermission() { return (this.permission = await super.requestPermission()) }
      constructor(title, options) { super(title, options); window.told.push(title + ': ' + options.body) }
    }
    Object.defineProperty(document, 'hidden', { get: () => window.isAway === true })`)
  await page.reload()
  const told = () => page.evaluate('window.told')
  await page.getByRole('button', { name: 'Notify me' }).click()
  await page.getByRole('button', { name: 'Notifies you' }).waitFor()
  await page.evaluate('window.isAway = true')
  await ask(page, 'Sum it up')
  await page.getByRole('log').getByText('Which year?').first().waitFor()
  await expect.poll(told).toEqual(['Filewright waits for you: Which year?'])
  await page.evaluate('window.isAway = false')
  await page.getByRole('button', { name: '1. 2025' }).click()
  await page.getByRole('log').getByText('No file was changed').waitFor()
  expect(await told()).toHaveLength(1) // who looks at the page needs none
  await page.evaluate('window.isAway = true')
  await ask(page, 'And again')
  await expect.poll(told).toHaveLength(2)
  expect((await told()) as string[]).toContain('Filewright is done: No file was changed')
})

test('two browsers on one conversation are shown to each other', async () => {
  const { page, served } = await askModel(browser, [{ text: 'An answer.' }])
  await ask(page, 'Ask about bread')
  await page.getByRole('log').getByText('No file was changed').waitFor()
  const other = await openPage(browser, served)
  await other.getByRole('button', { name: 'Earlier conversations' }).click()
  await other.getByRole('button', { name: /^Ask about bread/ }).click()
  for (const each of [page, other]) await each.getByText('Open in one other place too').waitFor()
  await other.getByRole('button', { name: 'New conversation' }).click()
  await page.getByText('Open in one other place too').waitFor({ state: 'detached' })
})

test('a drafted file is seen beside the published one, and words of a document are asked about', async () => {
  const served = await serveSample()
  const edit = {
    path: 'data/sales.xlsx',
    operations: [{ op: 'set_cells', sheet: 'Sales', cells: [{ cell: 'C2', value: 2000 }] }],
  }
  expect(await served.call('xlsx_operations', edit)).toMatchObject({ success: true })
  writeFileSync(join(served.folder, 'letter.docx'), documentOf('Dear Anna, the bread was good.'))
  const page = await openPage(browser, served)
  await fileRow(page, 'data/sales.xlsx').click()
  await page.getByRole('button', { name: 'Side by side' }).click()
  const grid = (name: string) => page.getByRole('region', { name, exact: true }).getByRole('grid')
  await grid('Draft').getByText('2,000').waitFor()
  await grid('Published').getByText('1,840').waitFor()
  await fileRow(page, 'letter.docx').click()
  await page.frameLocator('iframe').getByText('Dear Anna').selectText()
  const box = page.getByRole('textbox', { name: 'What should be done?' })
  await expect
    .poll(async () => {
      await page.getByRole('button', { name: 'Ask about it' }).click()
      return box.inputValue()
    })
    .toContain('In @letter.docx:\n> Dear Anna, the bread was good.')
})

/** As the browser tells it; true: the page took the event, so the browser does not open the file. */
function drop(page: Page, place: string, names: readonly string[]): Promise<boolean> {
  return page.evaluate(`(() => {
    const dataTransfer = new DataTransfer()
    for (const name of ${JSON.stringify(names)}) dataTransfer.items.add(new File([name], name))
    const tell = type => document.querySelector('${place}').dispatchEvent(
      new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }))
    tell('dragover')
    return !tell('drop')
  })()`)
}

function documentOf(text: string): Uint8Array {
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
  return buildZip([
    {
      name: '[Content_Types].xml',
      data: `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    },
    {
      name: '_rels/.rels',
      data: `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="word/document.xml"/></Relationships>`,
    },
    {
      name: 'word/document.xml',
      data: `<w:document xmlns:w="${word}"><w:body><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:body></w:document>`,
    },
  ])
}
