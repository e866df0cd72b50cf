import { readdirSync, readFileSync } from 'node:fs'
import { unwrap } from '@filewright/protocol'
import { catalog, inToolset } from '@filewright/tools'
import { describe, expect, test } from 'vitest'
import { embedded } from '../embedded.ts'
import { PATIENCE } from '../patience.ts'
import { verifies } from '../verifies.ts'
import { hostileFiles } from './hostile-files.ts'
import { NO_DRAWING, startOffice } from './own-office.ts'

const IS_FULL = process.env.FILEWRIGHT_FULL === '1'
const TIMEOUT = 300_000
const skip = NO_DRAWING !== undefined || !IS_FULL
const why = NO_DRAWING ? ` (${NO_DRAWING})` : IS_FULL ? '' : ' (of the full tier)'
const files = Object.fromEntries(
  hostileFiles('http://127.0.0.1:9', '/nowhere').map(({ name, bytes }) => [name, bytes]),
)

verifies(
  'CONTRACT §4 workshop toolset',
  'the workshop toolset offers the tools of its table and those of both toolsets',
  () => {
    const names = inToolset(catalog, 'workshop').map(({ declaration }) => declaration.name)
    expect(names).toEqual(
      expect.arrayContaining([
        ...['list_files', 'get_file_info', 'read_file', 'search_files'],
        ...['write_text_file', 'edit_text_file', 'file_operations', 'render_file'],
        ...['xlsx_operations', 'docx_operations', 'pptx_operations', 'table_query', 'table_export'],
        ...['recall_tool_result', 'update_plan', 'ask_person', 'delegate'],
      ]),
    )
  },
)

describe('without LibreOffice', () => {
  verifies('CONTRACT §4 render_file', 'render_file says so in one sentence', async () => {
    const { call } = await embedded(files)
    for (const path of ['remote.docx', 'remote.xlsx', 'remote.pptx', 'remote.odt'])
      expect(await call('render_file', { path })).toMatchObject({
        success: false,
        errorCode: 'NO_OFFICE',
        kind: 'unsupported',
        message: expect.stringMatching(
          new RegExp(`^Cannot make pages of "${path}": LibreOffice is not installed here\\.`),
        ),
      })
  })

  verifies(
    'CONTRACT §4 file_operations export',
    'an export says so, and the operations before it are not done',
    async () => {
      const { call, ask } = await embedded(files)
      const copy = { op: 'copy', from: 'remote.docx', to: 'copy.docx' }
      const step = { op: 'export', path: 'remote.docx', to: 'pages.pdf' }
      expect(await call('file_operations', { operations: [copy, step] })).toMatchObject({
        errorCode: 'NO_OFFICE',
        message: expect.stringMatching(
          /^Nothing was written: operation 2 \(export\) failed\. Cannot make pages of "remote\.docx": LibreOffice is not installed here\./,
        ),
      })
      expect((await ask('listDrafts')).value).toEqual([])
    },
  )
})

describe(`with LibreOffice${why}`, () => {
  verifies(
    'CONTRACT §4 render_file',
    'a sheet, a document and a slide come as pictures, and as the draft has them',
    async () => {
      const { call, stores } = await embedded(files, { office: startOffice() })
      const pictureOf = async (asked: object) => {
        const answer = await call('render_file', asked)
        expect(answer).toMatchObject({ success: true, pageCount: 1, next: null })
        const [{ sha256, mediaType }] = answer.pictures
        expect(mediaType).toBe('image/jpeg')
        expect(await stores.blobs.size(sha256)).toBeGreaterThan(1_000)
        return sha256 as string
      }
      const sheet = await pictureOf({ path: 'remote.xlsx', sheet: 'Sheet1' })
      const document = await pictureOf({ path: 'remote.docx', pages: '1' })
      const slide = await pictureOf({ path: 'remote.pptx', slide_index: 0 })
      const older = await pictureOf({ path: 'remote.odt' })
      const part = await pictureOf({ path: 'remote.xlsx', range: 'A1:B3', crop: [0, 0, 0.5, 0.2] })
      expect(new Set([sheet, document, slide, older, part]).size).toBe(5)

      const cells = [{ cell: 'A1', value: 'other words' }]
      await call('xlsx_operations', {
        path: 'remote.xlsx',
        operations: [{ op: 'set_cells', sheet: 'Sheet1', cells }],
      })
      expect(await pictureOf({ path: 'remote.xlsx', sheet: 'Sheet1' })).not.toBe(sheet)
    },
    { skip, timeout: TIMEOUT },
  )

  verifies(
    'CONTRACT §4 file_operations export',
    'an export is a PDF of what the draft has, depends on the edit it shows, and is published with it',
    async () => {
      const { call, ask, dir } = await embedded(files, { office: startOffice() })
      const edit = { op: 'replace_text', search: 'plain words', replace: 'words of the draft' }
      await call('docx_operations', { path: 'remote.docx', operations: [edit] })
      const step = { op: 'export', path: 'remote.docx', to: 'out/pages.pdf' }
      expect(await call('file_operations', { operations: [step] })).toMatchObject({
        success: true,
        message: 'Exported remote.docx to out/pages.pdf',
      })
      expect(await call('read_file', { path: 'out/pages.pdf' })).toMatchObject({
        draft: 'created',
        pages: [{ text: expect.stringContaining('words of the draft') }],
      })
      const { value: review } = await ask('review')
      expect(review.changes).toMatchObject([
        { place: expect.any(String) },
        { place: 'exported from remote.docx', dependsOn: [expect.any(String)] },
      ])
      await ask('publish', { body: { by: 'the person' } })
      expect(readFileSync(`${dir}/out/pages.pdf`).subarray(0, 5).toString()).toBe('%PDF-')
    },
    { skip, timeout: TIMEOUT },
  )

  test.skipIf(skip)(
    'what takes too long is ended with every process',
    { timeout: TIMEOUT },
    async () => {
      const office = startOffice()
      expect(await office.look()).toBe('ready')
      const ending = `.${process.pid}x.docx` // no other process has it
      const asked = office.toPdf(
        { path: 'a.docx', ending, bytes: files['remote.docx']! },
        { timeoutMs: 600 },
      )
      await expect.poll(() => processesWith(ending), PATIENCE).not.toBe(0)
      expect(await asked).toMatchObject({ failure: { code: 'TIMEOUT' } })
      await expect.poll(() => processesWith(ending), PATIENCE).toBe(0)
    },
  )

  test.skipIf(skip)('what it cannot open is said', { timeout: TIMEOUT }, async () => {
    const office = startOffice()
    const bytes = Buffer.from('PK\u0003\u0004 no zip')
    expect(await office.toPdf({ path: 'a.docx', ending: '.docx', bytes })).toMatchObject({
      failure: { code: 'UNREADABLE_FORMAT', message: expect.stringContaining('does not open it') },
    })
  })

  test.skipIf(skip)('the same bytes are converted once', { timeout: TIMEOUT }, async () => {
    const office = startOffice()
    const file = { path: 'a.docx', ending: '.docx', bytes: files['remote.docx']! }
    const first = unwrap(await office.toPdf(file))
    expect(unwrap(await office.toPdf(file))).toBe(first)
    office.close()
    const other = { ...file, path: 'b.odt', ending: '.odt', bytes: files['remote.odt']! }
    expect(await office.toPdf(other)).toMatchObject({ failure: { code: 'CANCELLED' } })
  })
})

function processesWith(word: string): number {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter(name => commandOf(name).includes(word)).length
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return '' // it has just ended
  }
}
