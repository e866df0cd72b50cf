import { type Operation, toBytes, unwrap } from '@filewright/protocol'
import { expect } from 'vitest'
import { verifies } from '../../../../../../test/verifies.ts'
import { IS_FULL } from '../../../corpus.contract.ts'
import { readZip } from '../../../opc/index.ts'
import { docxFormat } from '../format.ts'
import { canonical } from './canonical.contract.ts'
import { randomFrom } from './random-edits.contract.ts'
import { logged, NAME, p, partText, r, W, zooDocument } from './zoo.contract.ts'

const CASES = IS_FULL ? 2_000 : 120
const FIRST = Number(process.env.FIRST_SEED ?? 1)
const ALLOWED = { allowProtected: true, allowBreakSignature: true }

/** In everything that the other person writes. */
const MARK = /theirs\d+/g

verifies(
  'CONTRACT §6 moved document rebased',
  `${CASES} drafts on tables, notes, properties and pages beside another save: both edits, each in its place, or a conflict`,
  () => {
    const count = { carried: 0, tried: 0 }
    for (let seed = FIRST; seed < FIRST + CASES; seed++) {
      const { base, draft, foreign } = makeCase(seed)
      const what = `seed ${seed}: ${JSON.stringify(draft.numbered)} beside ${JSON.stringify(foreign.map(({ named }) => named))}`
      const named = foreign.map(own => own.named)
      const current = done(base, named, 'tc_2')
      const drafted = done(base, [draft.numbered], 'tc_1')
      if (!current || !drafted) continue
      count.tried++
      const after = publish(base, current, draft.numbered, what)
      if (!after) continue
      count.carried++
      // what is named by its text is the same thing in both orders
      const orders = [done(current, [draft.named], 'tc_1'), done(drafted, named, 'tc_2')]
      expect(
        orders.some(bytes => isEqual(bytes, after)),
        what,
      ).toBe(true)
      expect(lostFrom(marksIn(current), marksIn(after)), what).toEqual([])
    }
    if (IS_FULL) console.log(`docx law: ${count.carried} of ${count.tried} carried`)
    expect(count.carried).toBeGreaterThan(count.tried / 10)
  },
  { timeout: 900_000 },
)

/** The same thing named by its number in the base, and by a text that only it has. */
interface Edit {
  readonly numbered: Operation
  readonly named: Operation
}

type Random = (below: number) => number

function makeCase(seed: number) {
  const next = randomFrom(seed)
  const random: Random = below => Math.floor(next() * below)
  const [rows, columns] = [3 + random(3), 3 + random(3)]
  const size = { rows, columns }
  const foreign = Array.from({ length: 1 + random(2) }, (_, index) =>
    makeForeign(size, random, `theirs${random(900)}${index}`),
  )
  return { base: makeDocument(size, random), draft: makeDraft(size, random), foreign }
}

interface Size {
  readonly rows: number
  readonly columns: number
}

/** A table with a header, a key in the first column and many equal cells; notes; a title. */
function makeDocument({ rows, columns }: Size, random: Random): Uint8Array {
  const cell = (row: number, column: number) =>
    row === 0
      ? `Head ${column + 1}`
      : column === 0
        ? `Key ${row}`
        : ['Yes', 'No', '', `Cell ${row} ${column}`][random(4)]!
  const grid = Array.from(
    { length: rows },
    (_, row) =>
      `<w:tr>${Array.from({ length: columns }, (_, column) => `<w:tc><w:tcPr><w:tcW w:w="1000" w:type="dxa"/></w:tcPr>${p(cell(row, column))}</w:tc>`).join('')}</w:tr>`,
  )
  const note = (id: number) => `<w:r><w:footnoteReference w:id="${id}"/></w:r>`
  const table = `<w:tbl><w:tblPr/><w:tblGrid>${'<w:gridCol w:w="1000"/>'.repeat(columns)}</w:tblGrid>${grid.join('')}</w:tbl>`
  const body = `${p(r('First thing'), note(1))}${p('Middle thing')}${table}${p(r('Last thing'), note(2))}${p('End')}`
  const notes = [1, 2].map(id => `<w:footnote w:id="${id}">${p(`Note ${id}`)}</w:footnote>`)
  return zooDocument({
    body,
    links: [['rId9', 'footnotes', 'footnotes.xml']],
    types: `<Override PartName="/word/footnotes.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"/>`,
    parts: { 'word/footnotes.xml': `<w:footnotes xmlns:w="${W}">${notes.join('')}</w:footnotes>` },
  })
}

const pick = <T>(items: readonly T[], random: Random): T => items[random(items.length)]!

function makeDraft({ rows, columns }: Size, random: Random): Edit {
  const table = 't1'
  const [row, column] = [1 + random(rows - 1), random(columns)]
  const [key, head] = [`Key ${row}`, `Head ${column + 1}`]
  const values = [Array.from({ length: columns }, (_, at) => `mine ${at}`)]
  const both = (operation: Operation, named: object): Edit => ({
    numbered: operation,
    named: { ...operation, ...named },
  })
  return pick<Edit>(
    [
      both({ op: 'delete_table_columns', table, columns: [column + 1] }, { columns: [head] }),
      both({ op: 'delete_table_rows', table, rows: [row + 1] }, { rows: [key] }),
      both({ op: 'insert_table_rows', table, after_row: row + 1, values }, { after_row: key }),
      both(
        {
          op: 'insert_table_columns',
          table,
          after_column: column + 1,
          values: [['mine h'], ['mine 1'], ['mine 2']],
        },
        { after_column: head },
      ),
      both({ op: 'delete_paragraph', place: 't1' }, {}),
      both({ op: 'delete_paragraph', place: 'p1' }, {}),
      both({ op: 'delete_note', note: 'footnote 1' }, {}),
      both({ op: 'set_properties', properties: { title: 'mine' } }, {}),
      both({ op: 'set_page', margins: { top: 1 } }, {}),
      both({ op: 'format_table', table, style: 'Table Grid' }, {}),
      both({ op: 'replace_text', search: 'Last thing', replace: 'mine thing' }, {}),
    ],
    random,
  )
}

function makeForeign(
  { rows, columns }: Size,
  random: Random,
  mark: string,
): { readonly named: Operation } {
  const table = 't1'
  const [key, head] = [`Key ${1 + random(rows - 1)}`, `Head ${1 + random(columns)}`]
  const line = Array.from({ length: columns }, () => mark)
  return {
    named: pick<Operation>(
      [
        {
          op: 'insert_table_columns',
          table,
          before_column: head,
          values: Array.from({ length: rows }, () => [mark]),
        },
        { op: 'insert_table_columns', table, after_column: head, values: [[mark]] },
        { op: 'delete_table_columns', table, columns: [head] },
        { op: 'insert_table_rows', table, before_row: key, values: [line] },
        { op: 'delete_table_rows', table, rows: [key] },
        {
          op: 'set_table',
          table,
          row: 2 + random(rows - 1),
          column: 1 + random(columns),
          values: [[mark]],
        },
        { op: 'insert_paragraph', after: `p${3 + random(rows * columns)}`, text: mark },
        { op: 'set_note', note: `footnote ${1 + random(2)}`, text: [mark] },
        {
          op: 'replace_text',
          search: pick(['First thing', 'Middle thing', 'End'], random),
          replace: mark,
        },
        { op: 'set_properties', properties: { title: mark } },
        { op: 'set_page', margins: { left: 2 } },
        { op: 'add_comment', place: 'p1', text: mark },
      ],
      random,
    ),
  }
}

/** Undefined for a conflict. */
function publish(
  base: Uint8Array,
  current: Uint8Array,
  operation: Operation,
  what: string,
): Uint8Array | undefined {
  const log = logged([operation])
  const planned = unwrap(docxFormat.replay(base, log, new Set(), NAME)).content
  const words = { version: 'v', since: 'since', advice: 'Read it again.', isDraft: true }
  const result = docxFormat.rebase!({
    name: NAME,
    base,
    current,
    log,
    refused: new Set(),
    planned,
    ...words,
  })
  if (result.ok) return toBytes(result.value.content, current)
  expect(result.failure.code, what).toBe('CONFLICT')
  return undefined
}

/** Undefined where one of them is refused. */
function done(
  bytes: Uint8Array,
  operations: readonly Operation[],
  call: string,
): Uint8Array | undefined {
  const document = unwrap(docxFormat.open(bytes, NAME))
  if (!document.apply(logged(operations, call), ALLOWED).ok) return undefined
  return toBytes(unwrap(document.content()), bytes)
}

function isEqual(one: Uint8Array | undefined, other: Uint8Array): boolean {
  return one !== undefined && JSON.stringify(canonical(one)) === JSON.stringify(canonical(other))
}

/** In every part of the file. */
function marksIn(bytes: Uint8Array): readonly string[] {
  const { entries } = unwrap(readZip(bytes))
  return entries.flatMap(({ name }) => partText(bytes, name).match(MARK) ?? []).sort()
}

/** What is in the first more often than in the second. */
function lostFrom(before: readonly string[], after: readonly string[]): readonly string[] {
  const left = [...after]
  return before.filter(mark => {
    const at = left.indexOf(mark)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}
