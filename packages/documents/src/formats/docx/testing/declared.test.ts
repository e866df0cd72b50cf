import { type Operation, type Sha256, toBytes, unwrap } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { OPERATIONS } from '../declared/operations.ts'
import { docxFormat } from '../format.ts'
import { chartDocument } from './chart-document.contract.ts'
import { png } from './png.contract.ts'
import { logged, NAME, p, styled, W, zooDocument } from './zoo.contract.ts'

const [logo, other] = ['a'.repeat(64), 'b'.repeat(64)] as Sha256[]
const PINNED = { 'images/logo.png': logo!, 'other.docx': other! }
const inputs = { [logo!]: png(4, 2), [other!]: zooDocument({ body: p('Of the other document') }) }

const numbering = `<w:numbering xmlns:w="${W}"><w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num></w:numbering>`
const item = (list: number) =>
  p(
    `<w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="${list}"/></w:numPr></w:pPr>`,
    `Of list ${list}.`,
  )

const row = (...cells: string[]) =>
  `<w:tr>${cells.map(own => `<w:tc>${p(own)}</w:tc>`).join('')}</w:tr>`
const table = `<w:tbl><w:tblPr/>${row('Name', 'Amount')}${row('Bob', '1')}</w:tbl>${p('')}`

/** It has what the examples of all operations name. */
const letter = after(
  zooDocument({
    numbering,
    body:
      styled('Heading1', 'Terms') +
      p('Sales grew in 2025, which is urgent, see our site.') +
      p('By {{Client}}.') +
      item(1) +
      item(1) +
      item(2) +
      table,
  }),
  { op: 'add_footnote', search: 'Terms', text: 'A note.' },
  { op: 'add_comment', search: 'Terms', text: 'A comment.' },
  { op: 'set_bookmark', search: 'site', name: 'terms' },
  { op: 'insert_image', image: 'images/logo.png', after: 'p6' },
  { op: 'set_paragraph', place: 'p5', text: 'Of list one.', track: { author: 'Ann' } },
  { op: 'replace_text', search: 'which', replace: 'what', place: 'p2', track: { author: 'Bob' } },
)

function apply(bytes: Uint8Array, ...operations: readonly Operation[]) {
  const document = unwrap(docxFormat.open(bytes, NAME))
  const log = logged(operations).map(own => ({ ...own, inputs: PINNED }))
  return { document, done: document.apply(log, { inputs }) }
}

function after(bytes: Uint8Array, ...operations: readonly Operation[]): Uint8Array {
  const { document, done } = apply(bytes, ...operations)
  unwrap(done)
  return toBytes(unwrap(document.content()), bytes)
}

/** These need a document of their own. */
const BASES: Readonly<Record<string, Uint8Array>> = {
  set_chart: chartDocument,
  compare_with: zooDocument({ body: p('Of this document') }),
}

test.each(Object.entries(OPERATIONS))('the example of %s works', (op, { example }) => {
  const { done } = apply(BASES[op] ?? letter, { op, ...example })
  expect(done.ok ? '' : done.failure.message).toBe('')
  expect(unwrap(done).changes.length).toBeGreaterThan(0)
})
