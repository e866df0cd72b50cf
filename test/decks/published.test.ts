import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  hasCorpus,
  readCorpusFile,
  sampleOf,
} from '../../packages/documents/src/corpus.contract.ts'
import {
  DECKS,
  openDeck,
  phraseAcrossRuns,
  replaceOperation,
  TITLE,
} from '../../packages/documents/src/formats/pptx/testing/corpus-edit.contract.ts'
import { looseEnds } from '../../packages/documents/src/formats/pptx/testing/whole.contract.ts'
import { entriesOf } from '../../packages/documents/src/formats/pptx/testing/zoo.contract.ts'
import { publish, review } from '../drafts/draft-calls.ts'
import { embedded } from '../embedded.ts'

/** The parts that a copy, a move and a deletion of slides rewrite. */
const LISTS = /presentation\.xml(\.rels)?$|\[Content_Types\]\.xml$/i

describe.skipIf(!hasCorpus)('real decks, through the whole product', () => {
  test.each(sampleOf(DECKS, 3))('$file: edited in a draft, reviewed and published', async file => {
    const bytes = readCorpusFile(file)
    const path = basename(file.file)
    const before = openDeck(bytes)
    const last = before.deck.slides.length
    if (last === 0) return
    const phrase = phraseAcrossRuns(before)
    const product = await embedded({ [path]: bytes })
    expect(await product.call('get_file_info', { path })).toMatchObject({ success: true })
    expect(await product.call('read_file', { path, slide_index: 0 })).toMatchObject({
      success: true,
    })
    const { isSigned } = before.deck.package
    const edit = (operations: readonly object[]) =>
      product.call('pptx_operations', {
        path,
        operations,
        ...(isSigned && { allow_break_signature: true }),
      })
    const arranged = [
      { op: 'duplicate_slide', index: 0 },
      { op: 'move_slide', index: 1, to: last },
      ...(phrase ? [replaceOperation(phrase)] : []),
    ]
    if (isSigned) {
      const refused = await product.call('pptx_operations', { path, operations: arranged })
      expect(refused).toMatchObject({ success: false, errorCode: 'SIGNED' })
    }
    expect(await edit(arranged)).toMatchObject({ success: true, draft: 'changed' })
    const titled = await edit([{ op: 'set_slide_text', index: 0, title: TITLE }])
    if (!titled.success) expect(titled.message).toMatch(/no title placeholder/)
    expect(Buffer.compare(onDisk(product.dir, path), bytes), 'a draft writes nothing').toBe(0)
    const changes = await review(product)
    // the copy of an only slide is where it is to be
    expect(changes.length).toBeGreaterThanOrEqual(arranged.length - (last === 1 ? 1 : 0))
    await publish(product)
    const saved = onDisk(product.dir, path)
    const after = openDeck(saved)
    expect(after.deck.slides).toHaveLength(last + 1)
    const touched = new Set([
      before.deck.slides[0]!.page.part,
      ...(phrase ? [phrase.body.shape.page.part] : []),
    ])
    const now = entriesOf(saved)
    for (const [name, own] of entriesOf(bytes))
      if (!touched.has(name) && !LISTS.test(name))
        expect(Buffer.compare(own, now.get(name) ?? new Uint8Array(0)), name).toBe(0)
    const known = looseEnds(bytes)
    expect(looseEnds(saved).filter(fault => !known.includes(fault))).toEqual([])
    const deleted = await edit([{ op: 'delete_slide', index: last }])
    expect(deleted).toMatchObject({ success: true })
    await publish(product)
    expect([...entriesOf(onDisk(product.dir, path)).keys()]).toEqual([...entriesOf(bytes).keys()])
  })
})

function onDisk(dir: string, path: string): Uint8Array {
  return readFileSync(join(dir, path))
}
