import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import {
  corpusFiles,
  hasCorpus,
  IS_FULL,
  readCorpusFile,
} from '../../packages/documents/src/corpus.contract.ts'
import { launchBrowser } from './browser.ts'
import { fileRow, openPage } from './open-page.ts'
import { serveSample } from './served.ts'

const hasOffice = IS_FULL && spawnSync('soffice', ['--version']).status === 0
const COUNT = 11 // of each kind
const MOST_BYTES = 3_000_000

let browser: Browser

beforeAll(async () => {
  browser = await launchBrowser()
})

afterAll(() => browser?.close())

/** What a preview says, beside what LibreOffice prints. */
interface Compared {
  readonly file: string
  readonly pages: number
  readonly printed: number
  /** Words that are printed and not drawn. */
  readonly missing: readonly string[]
  readonly words: number
}

/** Layout is each program's own: a page more or less on a long document is listed, a lost text is a fault. */
const MOST_MISSING = 0.03

/** Text that is not drawn as text. */
const KNOWN: ReadonlyMap<string, string> = new Map([
  ['010-Strict01.docx', 'docx-preview draws no charts'],
  ['003-018.pptx', 'a chart is a picture'],
  ['004-aascu.org_workarea_downloadasset.aspx_id_5864.pptx', 'charts are pictures'],
])

test.skipIf(!hasCorpus || !hasOffice)(
  'documents and slides of the corpus show every text that LibreOffice prints',
  { timeout: 1_800_000 },
  async () => {
    const served = await serveSample()
    const chosen = (['docx', 'pptx'] as const).flatMap(kind =>
      corpusFiles(({ file, size }) => file.endsWith(`.${kind}`) && size < MOST_BYTES).slice(
        0,
        COUNT,
      ),
    )
    const files = chosen.map(file => ({ name: basename(file.file), bytes: readCorpusFile(file) }))
    for (const { name, bytes } of files) writeFileSync(join(served.folder, name), bytes)
    const printed = print(files)
    const page = await openPage(browser, served, { mayLog: /Content Security Policy|frame/ })
    const compared: Compared[] = []
    for (const { name } of files) {
      const said = printed.get(name)
      if (!said) continue // LibreOffice does not open it either
      const drawn = await draw(page, name)
      const own = [...new Set(wordsOf(drawn.text))]
      const words = wordsOf(said.text)
      const missing = [...new Set(words)].filter(word => !own.some(each => isPartOf(word, each)))
      compared.push({
        file: name,
        pages: drawn.pages,
        printed: said.pages,
        missing,
        words: new Set(words).size,
      })
    }
    for (const { file, pages, printed: of, missing, words } of compared)
      console.info(
        `${file}: ${pages} drawn, ${of} printed; ${missing.length} of ${words} words not drawn ${missing.slice(0, 5).join(' ')}`,
      )
    expect(compared.length).toBeGreaterThan(0)
    const slides = compared.filter(({ file }) => file.endsWith('.pptx'))
    for (const { file, pages, printed: of } of slides) expect([file, pages]).toEqual([file, of])
    for (const { file, missing, words } of compared.filter(({ file: own }) => !KNOWN.has(own)))
      expect([file, missing.length / Math.max(words, 1) < MOST_MISSING, missing]).toEqual([
        file,
        true,
        missing,
      ])
  },
)

async function draw(page: Page, name: string): Promise<{ pages: number; text: string }> {
  await fileRow(page, name).click()
  const region = page.getByRole('region', { name })
  const drawn = region.getByText(/^(One|\d+) (page|slide)s?\./)
  await drawn.waitFor()
  const said = (await drawn.textContent()) ?? ''
  const pages = said.startsWith('One') ? 1 : Number.parseInt(said, 10)
  const text = await region.frameLocator('iframe').locator('#page').innerText()
  return { pages, text }
}

/** Pages and text of each file as LibreOffice prints it. */
function print(
  files: readonly { readonly name: string; readonly bytes: Uint8Array }[],
): Map<string, { pages: number; text: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'filewright-print-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'out'))
  for (const { name, bytes } of files) writeFileSync(join(folder, name), bytes)
  spawnSync(
    'soffice',
    [
      `-env:UserInstallation=file://${join(folder, 'home')}`,
      ...['--headless', '--convert-to', 'pdf', '--outdir', join(folder, 'out')],
      ...files.map(({ name }) => join(folder, name)),
    ],
    { timeout: 900_000, stdio: 'ignore' },
  )
  return new Map(
    files.flatMap(({ name }) => {
      const file = join(folder, 'out', name.replace(/\.\w+$/, '.pdf'))
      const text = spawnSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' })
      if (text.status !== 0) return []
      const pages = text.stdout.split('\f').length - 1
      return [[name, { pages, text: text.stdout }] as const]
    }),
  )
}

/** Words of some length: marks, bullets and page numbers are laid out by each program. */
/** The same word, or a part of it: in a wide font a word does not fit its box, and is printed on two lines. */
function isPartOf(printed: string, drawn: string): boolean {
  return drawn.startsWith(printed) || drawn.endsWith(printed)
}

function wordsOf(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/\p{L}{4,}/gu) ?? []
  )
}
