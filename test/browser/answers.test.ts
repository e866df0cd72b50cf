import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask, askModel, call, hasAsked, isFocused } from './asking.ts'
import { launchBrowser } from './browser.ts'
import { openPage, openReview } from './open-page.ts'
import { serveSample } from './served.ts'

let browser: Browser

beforeAll(async () => {
  browser = await launchBrowser()
})

afterAll(() => browser?.close())

const plan = (...statuses: string[]) =>
  call('update_plan', {
    steps: ['Ask which year', 'Write the summary'].map((step, index) => ({
      step,
      status: statuses[index],
    })),
  })
const QUESTION = call('ask_person', {
  question: 'Which year is meant?',
  choices: ['This year', 'Last year'],
})
/** Higher than the log, so that it scrolls. */
const LONG = Array.from({ length: 60 }, (_, line) => `line ${line}`).join('\n')

test('a plan is ticked in one place, and a question is answered by a key press: the run goes on', async () => {
  const { page, model } = await askModel(browser, [
    { text: LONG, calls: [plan('doing', 'open')] },
    { text: '', calls: [QUESTION] },
    { text: LONG, calls: [plan('done', 'doing')] },
    { text: 'Done.' },
  ])
  await ask(page, 'Summarize the year')
  const card = page.getByRole('article', { name: 'Which year is meant?' })
  await card.waitFor()
  await expect.poll(() => planOf(page)).toEqual(['doing', 'open'])
  await card.getByRole('button', { name: 'Last year' }).press('Enter')
  const log = page.getByRole('log')
  await log.getByText('You answered: Last year').waitFor()
  await log.getByText('No file was changed').waitFor()
  await expect.poll(() => planOf(page)).toEqual(['done', 'doing'])
  expect(JSON.stringify(model.requests.at(-1)!.messages)).toContain('The person chose: Last year')
  await expect.poll(() => log.evaluate(pixelsBelow)).toBeLessThan(2)
})

test('a run that waits for an answer is stopped: the question goes, and the run can go on', async () => {
  const { page, model } = await askModel(browser, [
    { text: '', calls: [QUESTION] },
    { text: 'I take this year.' },
  ])
  await ask(page, 'Summarize the year')
  await page.getByRole('article').waitFor()
  await page.getByRole('button', { name: 'Stop' }).click()
  await isFocused(page)
  await page.getByRole('article').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('log').getByText('I take this year.').waitFor()
  expect(JSON.stringify(model.requests.at(-1)!.messages)).toContain('CANCELLED')
})

test('a message that waits is taken back into the field, and a run at its limit continues', async () => {
  const { page, model } = await askModel(browser, [
    { text: 'One.', calls: [call('list_files', {})] },
    { text: 'Two.', calls: [call('list_files', {})] },
    { text: 'Done.' },
  ])
  await page.route(/\/messages$/, route =>
    route.continue({
      postData: JSON.stringify({ ...route.request().postDataJSON(), maxTurns: 2 }),
    }),
  )
  let goOn = (_: boolean) => {}
  const silence = new Promise<boolean>(resolve => (goOn = resolve))
  model.onRequest = step => (step === 1 ? silence : true)
  const log = page.getByRole('log')
  await ask(page, 'Look around')
  await hasAsked(model, 2) // what is said now waits: an earlier message would go into this request
  await ask(page, 'In English', 'Tell it')
  await ask(page, 'And be brief', 'Tell it')
  await page.locator('textarea').fill('Or in French')
  await page.getByRole('button', { name: 'Take back: In English' }).press('Enter')
  await log.getByText('In English').waitFor({ state: 'detached' })
  await isFocused(page)
  await expect.poll(() => page.locator('textarea').inputValue()).toBe('In English\nOr in French')
  goOn(true)
  await log.getByText('2 turns, the limit for one run').waitFor()
  await page.getByRole('button', { name: 'Continue' }).click()
  await log.getByText('Continued.').waitFor()
  await page.getByRole('button', { name: 'Continue' }).waitFor({ state: 'detached' })
  await log.getByText('Done.', { exact: true }).waitFor()
  const sent = JSON.stringify(model.requests.map(({ messages }) => messages))
  expect(sent).toContain('And be brief')
  expect(sent).not.toContain('In English')
})

test('the instructions of a folder are read and allowed on the page; the model has them from then on', async () => {
  const { page, served, model } = await askModel(browser, [{ text: 'One.' }, { text: 'Two.' }])
  writeFileSync(join(served.folder, 'AGENTS.md'), 'Amounts are in CHF.\n')
  const log = page.getByRole('log')
  await ask(page, 'Hello')
  await log.getByText('No file was changed').waitFor()
  const sent = () => JSON.stringify(model.requests.at(-1)!.messages)
  expect(sent()).not.toContain('CHF')
  await page.getByText('AGENTS.md has instructions').click() // here without a reload
  await page.getByText('Amounts are in CHF.').waitFor()
  await page.getByRole('button', { name: 'Allow these instructions' }).click()
  await page.getByText('AGENTS.md is given to the model from your next message on.').waitFor()
  await page.getByText('AGENTS.md has instructions').waitFor({ state: 'detached' })
  await ask(page, 'Hello again')
  await log.getByText('Two.').waitFor()
  expect(sent()).toContain('Amounts are in CHF.')
})

test('files that somebody else deleted or created are decided one by one, each with what happens', async () => {
  const served = await serveSample()
  const at = (path: string) => join(served.folder, path)
  const edits = [{ search: 'Rye bread;1 kg;6.40', replace: 'Rye bread;1 kg;6.65' }]
  await served.call('edit_text_file', { path: 'data/prices.csv', edits })
  await served.call('write_text_file', { path: 'notes/new.md', content: 'the draft’s\n' })
  rmSync(at('data/prices.csv'))
  writeFileSync(at('notes/new.md'), 'the disk’s\n')
  const page = await openPage(browser, served)
  await openReview(page)
  const conflicts = page.getByRole('region', { name: 'Conflicts' })
  await conflicts.waitFor()
  await page.getByRole('button', { name: 'Publish' }).click()
  const refused = page.getByText('Nothing was written: 2 files are in conflict')
  await refused.waitFor()
  expect((await refused.textContent())!.match(/draft resolve/g)).toHaveLength(1)
  const of = (path: string) => conflicts.getByRole('listitem').filter({ hasText: path })
  await of('prices.csv').getByText('the file is written again').waitFor()
  await of('prices.csv').getByRole('button', { name: 'Keep the draft’s' }).press('Enter')
  await of('prices.csv').waitFor({ state: 'detached' })
  await page.locator(':focus').getByText('the file is written again').waitFor()
  await expect.poll(() => refused.count(), { message: 'it is no longer true' }).toBe(0)
  await of('new.md').getByRole('button', { name: 'Keep the disk’s' }).click()
  await conflicts.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByRole('button', { name: 'Undo' }).waitFor()
  expect(existsSync(at('data/prices.csv'))).toBe(true)
  expect(readFileSync(at('data/prices.csv'), 'utf8')).toContain('6.65')
  expect(readFileSync(at('notes/new.md'), 'utf8')).toBe('the disk’s\n')
})

/** The status of each step. */
async function planOf(page: Page): Promise<(string | null)[]> {
  const steps = await page.getByRole('list', { name: 'Plan' }).getByRole('listitem').all()
  return Promise.all(steps.map(step => step.getAttribute('data-status')))
}

function pixelsBelow({ scrollHeight, scrollTop, clientHeight }: { [Name in Pixels]: number }) {
  return scrollHeight - scrollTop - clientHeight
}

type Pixels = 'scrollHeight' | 'scrollTop' | 'clientHeight'
