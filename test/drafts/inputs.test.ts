import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { unwrap } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { docxFormat } from '../../packages/documents/src/formats/docx/format.ts'
import { png } from '../../packages/documents/src/formats/docx/testing/png.contract.ts'
import { p, zooDocument } from '../../packages/documents/src/formats/docx/testing/zoo.contract.ts'
import { OpcPackage } from '../../packages/documents/src/opc/index.ts'
import { type Embedded, embedded } from '../embedded.ts'
import { verifies } from '../verifies.ts'
import { publish, review } from './draft-calls.ts'

const LETTER = zooDocument({ body: p('Dear {{name}},') + p('The end.') })

async function change(product: Embedded, path: string, operation: object, more = {}) {
  const args = { path, operations: [operation], ...more }
  const answer = await product.call('docx_operations', args)
  expect(answer, answer.message).toMatchObject({ success: true })
  return answer
}

function bytesOf(product: Embedded, path: string): Uint8Array {
  return readFileSync(join(product.dir, path))
}

verifies(
  'CONTRACT §6 inputs pinned',
  'a picture is published as it was when it was inserted, whatever became of its file',
  async () => {
    const logo = png(3, 2)
    const product = await embedded({ 'letter.docx': LETTER, 'Logo.png': logo })
    await change(product, 'letter.docx', { op: 'insert_image', image: 'logo.png', after: 'p1' })
    product.write('Logo.png', png(9, 9))
    await change(product, 'letter.docx', { op: 'append_paragraph', text: 'More.' })
    rmSync(join(product.dir, 'Logo.png'))
    const [picture, appended] = await review(product)
    expect(picture).toMatchObject({ place: expect.stringContaining('new paragraph') })
    await publish(product, [appended!])
    const opened = unwrap(OpcPackage.open(bytesOf(product, 'letter.docx')))
    expect(Buffer.compare(unwrap(opened.part('word/media/image1.png')), logo)).toBe(0)
  },
)

test('what was taken from a drafted file depends on the changes that had made it', async () => {
  const product = await embedded({ 'a.docx': LETTER, 'b.docx': LETTER })
  await change(product, 'b.docx', { op: 'set_paragraph', place: 'p2', text: 'Only in the draft.' })
  await change(product, 'a.docx', { op: 'copy_blocks', from: 'b.docx', blocks: 'p2', after: 'p1' })
  const [made, copied] = await review(product)
  expect(copied!.dependsOn).toEqual([made!.id])
  const { dropped } = await publish(product, [made!])
  expect(dropped).toEqual([copied!.id])
  expect(Buffer.compare(bytesOf(product, 'a.docx'), LETTER)).toBe(0)
})

test('each row gives a file, and each file is accepted on its own', async () => {
  const product = await embedded({ 'letter.docx': LETTER, 'people.csv': 'Name\nAnn\nBob\n' })
  const answer = await change(product, 'letter.docx', {
    op: 'fill_placeholders',
    rows_from: 'people.csv',
    to: 'letters/{name}.docx',
  })
  expect(answer.files.map(({ path }: { path: string }) => path)).toEqual([
    'letters/Ann.docx',
    'letters/Bob.docx',
  ])
  const changes = await review(product)
  expect(new Set(changes.map(({ id }) => id)).size).toBe(changes.length)
  const ann = changes.find(({ path, kind }) => path === 'letters/Ann.docx' && kind === 'file')
  await publish(product, [ann!])
  expect(existsSync(join(product.dir, 'letters/Ann.docx'))).toBe(false)
  const name = { docPath: 'x' as never, path: 'x' as never }
  const bob = unwrap(docxFormat.open(bytesOf(product, 'letters/Bob.docx'), name))
  expect(unwrap(bob.read({}, { maxBytes: 10_000 })).text).toContain('Dear Bob,')
})

test('rows of a table are repeated from a file, as it spells them', async () => {
  const row =
    '<w:tr><w:tc><w:tcPr/><w:p><w:r><w:t>{{Item}}: {{Price}}</w:t></w:r></w:p></w:tc></w:tr>'
  const table = `<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w="1"/></w:tblGrid>${row}</w:tbl>`
  const offer = zooDocument({ body: table + p('End.') })
  const product = await embedded({
    'offer.docx': offer,
    'items.csv': 'Item,Price\nPen,2.00\nInk,12.50\n',
  })
  await change(product, 'offer.docx', { op: 'fill_placeholders', rows_from: 'items.csv' })
  const read = await product.call('read_file', { path: 'offer.docx' })
  expect(read.paragraphs.map(({ text }: { text: string }) => text)).toEqual([
    'Pen: 2.00',
    'Ink: 12.50',
    'End.',
  ])
})

test('a file that is missing, private or outside is refused, and no draft is opened', async () => {
  const product = await embedded({ 'letter.docx': LETTER, '.env': 'KEY=1\n' })
  for (const [image, code] of [
    ['nowhere.png', 'NOT_FOUND'],
    ['.env', 'PRIVATE_FILE'],
    ['../outside.png', 'InvalidPath'],
  ])
    expect(
      await product.call('docx_operations', {
        path: 'letter.docx',
        operations: [{ op: 'insert_image', image, after: 'p1' }],
      }),
    ).toMatchObject({ success: false, errorCode: code })
  expect(await review(product)).toBeUndefined() // no draft was opened
})

test('a draft with a picture follows its file', async () => {
  const logo = png(3, 2)
  const product = await embedded({ 'letter.docx': LETTER, 'logo.png': logo })
  await change(product, 'letter.docx', { op: 'insert_image', image: 'logo.png', after: 'p1' })
  product.write(
    'letter.docx',
    zooDocument({ body: p('Dear {{name}},') + p('The end.') + p('A line of somebody else.') }),
  )
  await publish(product)
  const bytes = bytesOf(product, 'letter.docx')
  const opened = unwrap(OpcPackage.open(bytes))
  expect(Buffer.compare(unwrap(opened.part('word/media/image1.png')), logo)).toBe(0)
  const name = { docPath: 'x' as never, path: 'x' as never }
  const { text } = unwrap(unwrap(docxFormat.open(bytes, name)).read({}, { maxBytes: 10_000 }))
  expect(text).toMatch(/Dear[^\n]*\n[^\n]*⟦picture⟧\n[^\n]*The end\.\n[^\n]*somebody else/)
})
