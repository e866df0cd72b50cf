import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifies } from '../verifies.ts'
import { ask, askModel, call, hasAsked, isFocused } from './asking.ts'
import { launchBrowser } from './browser.ts'
import { fileRow, openPage, openReview } from './open-page.ts'
import { type Served, serveSample } from './served.ts'

let browser: Browser

beforeAll(async () => {
  browser = await launchBrowser()
})

afterAll(() => browser?.close())

const TODO = { path: 'notes/todo.md', content: '- almonds\n- raisins\n' }
const MISSING = { path: 'notes/nowhere.md' }

verifies(
  ['ADR-0010 §UI Changes follows the loop', 'ADR-0010 §UI Changes tool indicators'],
  'a person asks, and sees text, tool calls and their outcomes in order',
  async () => {
    const { page } = await askModel(browser, [
      { text: 'I look <b>first</b>.\nThen I write.', calls: [call('read_file', MISSING)] },
      { text: '', calls: [call('write_text_file', TODO)] },
      { text: 'The list is written.' },
    ])
    await ask(page, 'Make a list')
    await page.getByRole('log').getByText('1 file in the draft').waitFor()
    expect(await linesOf(page)).toEqual([
      'You: Make a listEdit',
      'I look <b>first</b>.\nThen I write.',
      '✕Reading notes/nowhere.md: failedIt was not found.',
      '✓Writing notes/todo.md: done',
      'The list is written.',
      expect.stringContaining('1 file in the draft'),
    ])
  },
)

verifies(
  'ADR-0010 §Neutral progress visible',
  'while the model is silent the page says that it is thinking, and the run can be steered and stopped',
  async () => {
    const { page, model } = await askModel(browser, [
      { text: 'I look at the files.', calls: [call('list_files', {})] },
      { text: 'Once more.', calls: [call('list_files', {})] },
    ])
    let goOn = (_: boolean) => {}
    const silence = new Promise<boolean>(resolve => (goOn = resolve))
    model.onRequest = step => (step === 1 ? silence : step === 0) // the third hangs
    await ask(page, 'Look around')
    const log = page.getByRole('log')
    await log.getByText('I look at the files.').waitFor()
    await hasAsked(model, 2)
    await log.getByText('Thinking …').waitFor()
    await ask(page, 'And be brief', 'Tell it')
    await log.getByText('And be brief (the model reads it next)').waitFor()
    goOn(true)
    await log.getByRole('listitem').getByText('And be brief').waitFor()
    await hasAsked(model, 3)
    await log.getByText('Thinking …').waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await log.getByText('No file was changed').waitFor()
    await page.getByRole('button', { name: 'Ask' }).waitFor()
    await isFocused(page)
    await log.getByText('Thinking …').waitFor({ state: 'detached' })
  },
)

verifies(
  'ADR-0010 §UI Changes no automatic apply',
  'with no model the demonstration runs and says so, and its draft waits to be published by hand',
  async () => {
    const served = await serveSample({ FILEWRIGHT_MODEL: '' })
    const page = await openPage(browser, served)
    await page.getByRole('button', { name: 'Try the demonstration' }).click()
    await page.getByRole('log').getByText('This is a scripted demonstration').waitFor()
    await page.getByRole('log').getByText('2 files in the draft').waitFor()
    await openReview(page)
    await page.getByText('# A note from the demonstration').waitFor()
    await page.getByRole('article', { name: 'Prices!C2' }).waitFor()
    expect(existsSync(join(served.folder, 'demo-note.md'))).toBe(false)
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByText('No draft is open').waitFor()
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    await page.getByRole('log').getByText('Draft published: 2 files').waitFor()
    expect(read(served, 'demo-note.md')).toMatch(/^# A note from the demonstration\n/)
    expect(existsSync(join(served.folder, 'demo-prices.xlsx'))).toBe(true)
  },
)

verifies(
  'ADR-0010 §UI Changes tool indicators',
  'a run that waits for a person continues with the answer, and is still there after a reload',
  async () => {
    const { page, served } = await askModel(browser, [
      { text: 'May I?', calls: [call('workspace_create_file', TODO)] },
      { text: 'The list is written.' },
    ])
    const states = await recordStates(page)
    await page.getByLabel('Changes go to').selectOption('workspace')
    await ask(page, 'Make a list')
    await page.getByText('The run waits for your answer').waitFor()
    expect(existsSync(join(served.folder, TODO.path))).toBe(false)
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByRole('log').getByText('1 file written').waitFor()
    // it runs until it waits, and again after approval; two states in one paint cannot be seen separately
    expect(String(await states())).toMatch(/^(running,)?waiting,(running,)?done$/)
    expect(read(served, TODO.path)).toBe(TODO.content)
    const lines = await linesOf(page)
    await page.reload()
    await page.getByRole('log').getByText('1 file written').waitFor()
    expect(await linesOf(page)).toEqual(lines)
  },
)

test('a person accepts some changes and says why not the others, and the model learns both', async () => {
  const insert = (afterLine: number, line: string) => ({
    operation: 'insert',
    afterLine,
    newLines: [line],
  })
  const changes = [insert(0, '# first'), insert(14, '# last')]
  const files = [{ docPath: 'src/invoice.py', originalSha256: 'cc2a598a', changes }]
  const { page, served, model } = await askModel(browser, [
    { text: 'May I?', calls: [call('workspace_write_patch', { files })] },
    { text: 'As you like.' },
  ])
  await page.getByLabel('Changes go to').selectOption('workspace')
  await ask(page, 'Mark both ends')
  const before = read(served, 'src/invoice.py')
  await page.getByRole('checkbox').last().uncheck()
  await page.getByRole('textbox', { name: 'Why not' }).fill('The end is plain to see')
  await page.getByRole('button', { name: 'Approve 1 of 2' }).click()
  await page.getByRole('log').getByText('1 file written').waitFor()
  expect(read(served, 'src/invoice.py')).toBe(`# first\n${before}`)
  expect(model.requests[1]?.messages.at(-1)?.content).toContain('The end is plain to see')
})

test('an earlier conversation is reopened, continued, and still there after a reload', async () => {
  const { page, model } = await askModel(browser, [
    { text: 'A first answer.' },
    { text: 'A second one.' },
  ])
  const log = page.getByRole('log')
  await ask(page, 'Ask about bread')
  await log.getByText('No file was changed').waitFor()
  await page.getByRole('button', { name: 'New conversation' }).click()
  await isFocused(page)
  await ask(page, 'Ask about flour')
  await log.getByText('Ask about flour').waitFor()
  await log.getByText('No file was changed').waitFor()

  await page.getByRole('button', { name: 'Earlier conversations' }).click()
  const earlier = page.getByRole('navigation', { name: 'Earlier conversations' })
  await earlier.getByRole('button', { name: /^Ask about bread/ }).click()
  await log.getByText('Ask about bread').waitFor()
  expect(await log.getByText('Ask about flour').count()).toBe(0)
  expect(await earlier.count()).toBe(0)
  await page.getByRole('button', { name: 'New conversation' }).waitFor() // the page has read the conversation to its end
  await ask(page, 'Ask once more')
  await log.getByText('A second one.').waitFor()
  expect(
    model.requests
      .at(-1)!
      .messages.map(({ content }) => content)
      .join(),
  ).toContain('bread')
  await page.reload()
  await log.getByText('Ask about bread').waitFor()
})

verifies(
  'CONTRACT §2 active by drop',
  'a file dropped into the chat is sent with the message, and can be removed again',
  async () => {
    const { page, served, model } = await askModel(browser, [{ text: 'Almonds.' }])
    const box = page.getByRole('textbox', { name: 'What should be done?' })
    const along = page.getByRole('list', { name: 'Attached files' })
    await fileRow(page, 'notes/2026-10-meeting.md').dragTo(box)
    await along.getByText('notes/2026-10-meeting.md').waitFor()
    const file = await page.evaluateHandle(`(() => {
      const data = new DataTransfer()
      data.items.add(new File(['elsewhere'], 'prices.csv'))
      return data
    })()`)
    await box.dispatchEvent('drop', { dataTransfer: file })
    await along.getByText('data/prices.csv').waitFor()
    await page.getByRole('button', { name: 'Remove data/prices.csv' }).click()
    await along.getByText('data/prices.csv').waitFor({ state: 'detached' })
    await ask(page, 'What is missing?')
    await page.getByRole('log').getByText('No file was changed').waitFor()
    const sent = model.requests[0]!.messages.map(({ content }) => content).join('\n')
    expect(sent).toContain(read(served, 'notes/2026-10-meeting.md').split('\n')[0])
    expect(sent).not.toContain('Cinnamon bun')
  },
)

/** Every state that the line of a call has shown, however briefly. */
async function recordStates(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(`
    window.states = []
    new MutationObserver(() => {
      const state = document.querySelector('[data-state]')?.dataset.state
      if (state && state !== states.at(-1)) states.push(state)
    }).observe(document.body, { subtree: true, childList: true, attributes: true })`)
  return () => page.evaluate('window.states')
}

function linesOf(page: Page): Promise<string[]> {
  return page.getByRole('log').getByRole('listitem').allTextContents()
}

function read({ folder }: Served, path: string): string {
  return readFileSync(join(folder, path), 'utf8')
}

test('a picture that a tool showed to the model is there for the person to open', async () => {
  const { page, served } = await askModel(browser, [
    { text: '', calls: [call('read_file', { path: 'dot.png' })] },
    { text: 'It is a dot.' },
  ])
  writeFileSync(join(served.folder, 'dot.png'), PIXEL)
  await ask(page, 'What is it?')
  await page.getByRole('log').getByText('It is a dot.').waitFor()
  await page.getByRole('log').getByText('1 picture').click()
  const picture = page.getByRole('img', { name: 'Picture 1' })
  await picture.waitFor()
  await expect.poll(() => picture.evaluate(widthOf)).toBe(1)
})

const widthOf = (image: unknown) => (image as { naturalWidth: number }).naturalWidth

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
