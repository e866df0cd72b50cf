import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { IS_FULL } from '../../packages/documents/src/corpus.contract.ts'
import { buildZip } from '../../packages/documents/src/opc/zip.contract.ts'
import { ask, askModel } from './asking.ts'
import { launchBrowser } from './browser.ts'
import { fileRow, openPage } from './open-page.ts'
import { serveSample } from './served.ts'

let browser: Browser

beforeAll(async () => {
  browser = await launchBrowser()
})

afterAll(() => browser?.close())

const FIRST_LOAD = 250 * 1024

test('the first load is under 250 KB gzipped, before a preview is opened', async () => {
  const served = await serveSample()
  const page = await openPage(browser, served, {})
  const asked = new Set<string>()
  page.on('request', request => {
    const { pathname } = new URL(request.url())
    if (!pathname.startsWith('/api')) asked.add(pathname)
  })
  await page.reload()
  await fileRow(page, 'README.md').waitFor()
  await page.getByRole('button', { name: 'Use this model' }).waitFor()
  expect([...asked].filter(path => path.endsWith('.js'))).not.toEqual([])
  let total = 0
  for (const path of asked) {
    const response = await fetch(new URL(path, served.url))
    total += gzipSync(new Uint8Array(await response.arrayBuffer())).length
  }
  expect(total).toBeLessThan(FIRST_LOAD)
})

/** How long tasks take says something about a machine that has nothing else to do. */
const ROWS = IS_FULL ? 100_000 : 4000

test('a long sheet is scrolled to its end with few nodes and hardly a long task', async () => {
  const served = await serveSample()
  writeFileSync(join(served.folder, 'large.xlsx'), largeBook())
  const page = await openPage(browser, served, { viewport: { width: 1440, height: 900 } })
  await fileRow(page, 'large.xlsx').click()
  const grid = page.getByRole('grid')
  await grid.getByText('item 1', { exact: true }).waitFor()
  await grid.focus()
  const trace = await startTrace(page)
  let nodes = 0
  for (let step = 1; step <= 60; step++) {
    await page.evaluate(
      `(() => { const grid = document.querySelector('[role=grid]'); grid.scrollTop = grid.scrollHeight * ${step / 60} })()`,
    )
    await page.evaluate(
      'new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
    )
    nodes = Math.max(
      nodes,
      Number(await page.evaluate('document.getElementsByTagName("*").length')),
    )
  }
  const tasks = await trace.end()
  await grid.getByText(`item ${ROWS}`, { exact: true }).waitFor()
  expect(nodes).toBeLessThan(3000)
  const long = tasks.filter(ms => ms > 50).length
  console.info(`scrolling ${ROWS} rows: ${tasks.length} tasks, ${long} over 50 ms, ${nodes} nodes`)
  if (IS_FULL) expect(long / tasks.length).toBeLessThan(0.01)
})

test('text that streams moves nothing that is already there', async () => {
  const words = Array.from({ length: 400 }, (_, at) => `Line ${at} says something.`).join('\n\n')
  const { page } = await askModel(browser, [{ text: words, pieces: 200 }])
  await page.evaluate(`
    window.shifted = 0
    new PerformanceObserver(list => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value
    }).observe({ type: 'layout-shift', buffered: true })`)
  await ask(page, 'Tell me')
  await page.getByRole('log').getByText('No file was changed').waitFor()
  expect(await page.evaluate('window.shifted')).toBeLessThan(0.05)
})

const MESSAGES = 5000

test('a conversation of 5,000 messages opens with its end, in short tasks', async () => {
  const { page } = await askModel(browser, [{ text: 'One.' }])
  await ask(page, 'First')
  const log = page.getByRole('log')
  await log.getByText('No file was changed').waitFor()
  await page.route(/\/events\?/, route =>
    route.fulfill({ contentType: 'text/event-stream', body: longLog() }),
  )
  await page.addInitScript(`
    window.longest = 0
    new PerformanceObserver(list => {
      for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration)
    }).observe({ type: 'longtask', buffered: true })`)
  await page.reload()
  await log.getByText(`message ${MESSAGES}`, { exact: true }).waitFor()
  await log.getByRole('button', { name: /^Show earlier/ }).waitFor()
  expect(await log.locator('ol > li').count()).toBeLessThan(50)
  const longest = Number(await page.evaluate('window.longest'))
  console.info(`opening ${MESSAGES} messages: longest task ${longest} ms`)
  if (IS_FULL) expect(longest).toBeLessThan(200)
})

function longLog(): string {
  const rows = Array.from({ length: MESSAGES }, (_, at) => {
    const seq = at + 1
    const text = `message ${seq}`
    const body =
      at % 2 === 0
        ? { type: 'user_message', message_id: `m${seq}`, role: 'user', text, run_id: 'r' }
        : {
            type: 'assistant_message',
            message_id: `m${seq}`,
            role: 'assistant',
            text,
            turn_id: `t${seq}`,
          }
    return `data: ${JSON.stringify({ type: 'row', cursor: seq, row: { seq, body } })}\n\n`
  })
  return rows.join('')
}

/** The lengths of the tasks of the page's main thread, in milliseconds. */
async function startTrace(page: Page) {
  const session: CDPSession = await page.context().newCDPSession(page)
  const tasks: number[] = []
  session.on('Tracing.dataCollected', ({ value }) => {
    for (const event of value as { name?: string; dur?: number }[])
      if (event.name === 'RunTask' && event.dur !== undefined) tasks.push(event.dur / 1000)
  })
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: {
      includedCategories: ['disabled-by-default-devtools.timeline', 'devtools.timeline'],
    },
  })
  return {
    async end() {
      const done = new Promise(resolve => session.once('Tracing.tracingComplete', resolve))
      await session.send('Tracing.end')
      await done
      await session.detach()
      return tasks
    },
  }
}

function largeBook(): Uint8Array {
  const row = (n: number) =>
    `<row r="${n}"><c r="A${n}" t="inlineStr"><is><t>item ${n}</t></is></c><c r="B${n}"><v>${n * 2}</v></c><c r="C${n}"><v>${n / 4}</v></c><c r="D${n}"><v>${n % 7}</v></c></row>`
  const rows = Array.from({ length: ROWS }, (_, at) => row(at + 1)).join('')
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const relations = 'http://schemas.openxmlformats.org/package/2006/relationships'
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
  return buildZip([
    {
      name: '[Content_Types].xml',
      data: `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${type}.worksheet+xml"/></Types>`,
    },
    {
      name: '_rels/.rels',
      data: `<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    },
    {
      name: 'xl/workbook.xml',
      data: `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="Large" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      data: `<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    },
    {
      name: 'xl/worksheets/sheet1.xml',
      data: `<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`,
    },
  ])
}
