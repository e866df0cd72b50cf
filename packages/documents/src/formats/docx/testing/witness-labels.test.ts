import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { unwrap } from '@filewright/protocol'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { hasCorpus, IS_FULL, readCorpusFile } from '../../../corpus.contract.ts'
import { convert } from '../../../libreoffice.contract.ts'
import { DocxDocument } from '../document.ts'
import { plainText } from '../view/show.ts'
import { DOCUMENTS } from './corpus-edit.contract.ts'
import { NAME, p, W, zooDocument } from './zoo.contract.ts'

const folder = IS_FULL ? mkdtempSync(join(tmpdir(), 'filewright-labels-')) : ''
afterAll(() => folder && rmSync(folder, { recursive: true, force: true }))

const hasOffice = IS_FULL && spawnSync('soffice', ['--version']).status === 0

/** Where LibreOffice is no witness of what Word shows. */
const EXPLAINED: Readonly<Record<string, string>> = {
  '009-form_footnotes.docx p109':
    'no label: LibreOffice shows a form field in front of the text as a symbol',
  '010-Strict01.docx p47':
    'no label: LibreOffice shows the text of a control in front of the paragraph',
  '012-BackgroundReport_-_THE_WORKING_GROUP_ON_INTERNET_GOVERNANCE.docx p412':
    'level 2 of a list that defines level 1 alone: LibreOffice counts 1., 2., and no format is in the file',
}

interface Line {
  readonly id: string
  readonly label: string
  readonly text: string
}

describe.skipIf(!hasOffice || !hasCorpus)('labels beside LibreOffice', () => {
  test('each paragraph of a list has the label that its text export prints', () => {
    const files = DOCUMENTS.map(file => ({
      name: basename(file.file),
      bytes: readCorpusFile(file),
    })).flatMap(file => {
      const lines = linesOf(file.bytes)
      return lines.some(({ label }) => label !== '') ? [{ ...file, lines }] : []
    })
    const exported = convert(files, 'txt:Text (encoded):UTF8', folder)
    const differences: string[] = []
    const explained = new Set<string>()
    const seen = { files: 0, labels: 0, numbers: 0 }
    for (const [index, { name, lines }] of files.entries()) {
      const path = exported[index]
      if (!path) continue
      seen.files++
      for (const { id, label, theirs } of matched(lines, readFileSync(path, 'utf8'))) {
        if (label !== '') seen.labels++
        if (/\w/.test(label)) seen.numbers++
        const isSame = label === '•' ? /^[^\p{L}\p{N}]?$|^o$/u.test(theirs) : label === theirs
        const key = `${name} ${id}`
        if (isSame) continue
        if (key in EXPLAINED) explained.add(key)
        else differences.push(`${key}: ${label || 'none'}, there ${theirs || 'none'}`)
      }
    }
    expect(differences).toEqual([])
    expect([...explained]).toEqual(Object.keys(EXPLAINED))
    expect(seen).toEqual({ files: 21, labels: 732, numbers: 296 })
  })

  test('random lists count as LibreOffice counts them', () => {
    const lists = fc.sample(LIST, { numRuns: 150, seed: SEED })
    const files = lists.map((list, at) => ({ name: `random-${at}.docx`, bytes: documentOf(list) }))
    const exported = convert(files, 'txt:Text (encoded):UTF8', join(folder, 'random'))
    const differences = files.flatMap(({ name, bytes }, at) => {
      const ours = linesOf(bytes).map(({ label }) => label)
      const theirs = readFileSync(exported[at]!, 'utf8')
        .split(/\r?\n/)
        .map(squeezed)
        .filter(line => line !== '')
        .map(line => line.slice(0, -TEXT.length))
      return ours.join(' ') === theirs.join(' ') ? [] : [`${name}: ${ours}, there ${theirs}`]
    })
    expect(differences).toEqual([])
  })
})

function linesOf(bytes: Uint8Array): Line[] {
  const document = DocxDocument.open(bytes, NAME)
  if (!document.ok) return []
  const { body } = unwrap(document).manuscript
  return body.paragraphs.flatMap(paragraph => {
    const text = squeezed(plainText(paragraph).split('\n')[0]!)
    return text === '' || paragraph.box
      ? []
      : [{ id: paragraph.id, label: squeezed(body.rank(paragraph).printed), text }]
  })
}

const LONGEST_LABEL = 20

/** Each paragraph with what stands in front of its text there; texts that occur more or less often there are left out. */
function matched(lines: readonly Line[], exported: string) {
  const theirs = exported.split(/\r?\n/).map(squeezed)
  const byText = new Map<string, Line[]>()
  for (const line of lines) byText.set(line.text, [...(byText.get(line.text) ?? []), line])
  return [...byText].flatMap(([text, ours]) => {
    const found = theirs.filter(
      own => own.endsWith(text) && own.length <= text.length + LONGEST_LABEL,
    )
    if (found.length !== ours.length) return []
    return ours.map((line, at) => ({ ...line, theirs: found[at]!.slice(0, -text.length) }))
  })
}

function squeezed(text: string): string {
  return text.replace(/[\s\uFEFF]+/g, '')
}

const SEED = 20_261_119
const TEXT = '|item'

/**
 * Left out, because LibreOffice 7.4 does not follow: `isLgl` and `lvlRestart`, which it ignores; and the start of one list for a level below
 * the first, which it forgets when a level above restarts it.
 */
const LIST = fc.record({
  levels: fc.array(
    fc.record({
      format: fc.constantFrom('decimal', 'lowerLetter', 'upperRoman', 'decimalZero'),
      start: fc.integer({ min: 1, max: 4 }),
      isDeep: fc.boolean(),
    }),
    { minLength: 4, maxLength: 4 },
  ),
  start: fc.integer({ min: 1, max: 9 }),
  /** Level and list: the second starts elsewhere. */
  items: fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.constantFrom(1, 1, 1, 2)), {
    minLength: 3,
    maxLength: 14,
  }),
})

type RandomList = typeof LIST extends fc.Arbitrary<infer Value> ? Value : never

function documentOf({ levels, start, items }: RandomList): Uint8Array {
  const level = ({ format, start: from, isDeep }: (typeof levels)[number], at: number) => {
    const deep = levels.slice(0, at + 1).map((_, each) => `%${each + 1}`)
    return `<w:lvl w:ilvl="${at}"><w:start w:val="${from}"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${isDeep ? deep.join('.') : `(%${at + 1})`}"/></w:lvl>`
  }
  const numbering = `<w:numbering xmlns:w="${W}"><w:abstractNum w:abstractNumId="0"><w:multiLevelType w:val="multilevel"/>${levels.map(level).join('')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="${start}"/></w:lvlOverride></w:num></w:numbering>`
  const item = ([at, list]: readonly [number, number]) =>
    p(`<w:pPr><w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="${list}"/></w:numPr></w:pPr>`, TEXT)
  return zooDocument({ body: items.map(item).join(''), numbering })
}
