import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Operation, toBytes, unwrap } from '@filewright/protocol'
import { afterAll, describe, expect, test } from 'vitest'
import { hasCorpus, IS_FULL, readCorpusFile } from '../../../corpus.contract.ts'
import { settleInLibreOffice } from '../../../libreoffice-revisions.contract.ts'
import { DocxDocument } from '../document.ts'
import { textMapOf } from '../story/text-map.ts'
import { ALLOWED, DOCUMENTS } from './corpus-edit.contract.ts'
import { randomFrom, randomTrackedOperation, sceneOf } from './random-edits.contract.ts'
import { logged, NAME } from './zoo.contract.ts'

const MOST_BYTES = 400_000 // a larger document says the same and takes longer
const track = { author: 'Filewright test' }
const folder = IS_FULL ? mkdtempSync(join(tmpdir(), 'filewright-tracked-')) : ''
afterAll(() => folder && rmSync(folder, { recursive: true, force: true }))

function after(bytes: Uint8Array, operation: Operation): Uint8Array {
  const document = unwrap(DocxDocument.open(bytes, NAME))
  // nothing to settle
  if (!document.apply(logged([operation]), ALLOWED).ok) return bytes
  return toBytes(unwrap(document.content()), bytes)
}

/** The document with up to four tracked edits beside those it has. */
function tracked(bytes: Uint8Array, seed: number) {
  const document = unwrap(DocxDocument.open(bytes, NAME))
  const random = randomFrom(seed)
  const operations: Operation[] = []
  for (let turn = 0; turn < 4; turn++) {
    const operation = { ...randomTrackedOperation(sceneOf(document), random), track }
    const done = document.apply(logged([operation], `tc_${turn}`), ALLOWED)
    if (done.ok) operations.push(operation)
  }
  return { bytes: toBytes(unwrap(document.content()), bytes), operations }
}

/** The text of the body and its notes, paragraph by paragraph; an empty one says nothing. */
function textOf(bytes: Uint8Array): readonly string[] {
  const { stories } = unwrap(DocxDocument.open(bytes, NAME)).manuscript
  return stories
    .filter(({ name }) => /document|notes/.test(name))
    .flatMap(story =>
      story.paragraphs
        .filter(({ box }) => !box)
        .map(own => textMapOf(story.pieces(own).filter(({ kind }) => kind === 'text')).text),
    )
    .map(text => text.replace(/\s+/g, ' ').trim())
    .filter(text => text !== '')
}

describe.skipIf(!IS_FULL || !hasCorpus)('tracked changes, settled by LibreOffice', () => {
  test('accepting all and rejecting all reads as ours', () => {
    const edits = DOCUMENTS.filter(({ size }) => size < MOST_BYTES).flatMap(file => {
      const base = readCorpusFile(file)
      const { bytes, operations } = tracked(base, file.size)
      if (operations.length === 0) return []
      return (['accept', 'reject'] as const).map(verdict => ({
        name: `${file.file}, ${verdict}`,
        verdict,
        bytes,
        ours: after(bytes, { op: `${verdict}_revisions` }),
        operations,
      }))
    })
    const settled = settleInLibreOffice(
      edits.flatMap(({ bytes, verdict, ours }) => [
        { bytes, verdict },
        { bytes: ours, verdict: 'keep' },
      ]),
      folder,
    )
    const counts = { compared: 0, notOpened: 0 }
    const faults: string[] = []
    for (const [index, { name, operations }] of edits.entries()) {
      const [theirs, ours] = [settled[2 * index], settled[2 * index + 1]]
      if (!ours) counts.notOpened++
      else if (!theirs) faults.push(`${name}: does not open`)
      else {
        counts.compared++
        const fault = difference(textOf(theirs), textOf(ours))
        if (fault) faults.push(`${name}: ${fault} after ${JSON.stringify(operations)}`)
      }
    }
    console.info(`LibreOffice settled: ${JSON.stringify(counts)}`)
    expect(faults).toEqual([])
    expect(counts.compared).toBeGreaterThan(80)
  }, 3_600_000)
})

function difference(theirs: readonly string[], ours: readonly string[]): string | undefined {
  const at = ours.findIndex((text, index) => text !== theirs[index])
  if (at < 0 && ours.length === theirs.length) return undefined
  const place = at < 0 ? ours.length : at
  return `paragraph ${place} is ${JSON.stringify(theirs[place])}, ours ${JSON.stringify(ours[place])}`
}
