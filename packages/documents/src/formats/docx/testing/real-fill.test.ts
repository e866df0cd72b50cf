import { type Operation, toBytes, unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { corpusFiles, hasCorpus, readCorpusFile, sampleOf } from '../../../corpus.contract.ts'
import { DocxDocument } from '../document.ts'
import { placeholdersIn } from '../story/placeholders.ts'
import { canonical } from './canonical.contract.ts'
import { logged, NAME } from './zoo.contract.ts'

const files = sampleOf(
  corpusFiles(({ file, category }) => category === 'docx' && /\.(docx|docm|dotx)$/.test(file)),
  12,
)
const ALLOWED = { allowProtected: true, allowBreakSignature: true }

function apply(bytes: Uint8Array, operation: Operation) {
  const document = unwrap(DocxDocument.open(bytes, NAME))
  const result = document.apply(logged([operation]), ALLOWED)
  return { result, document, bytes: toBytes(unwrap(document.content()), bytes) }
}

describe.skipIf(!hasCorpus)('real documents', () => {
  test.each(files)('$file: placeholders are filled, and none of the filled is left', file => {
    const bytes = readCorpusFile(file)
    const { manuscript } = unwrap(DocxDocument.open(bytes, NAME))
    const names = manuscript.stories
      .filter(({ name }) => name !== 'comments')
      .flatMap(story => story.paragraphs)
      .flatMap(own => placeholdersIn(own))
      .filter(({ kind, control }) => kind === 'text' && control === undefined)
      .flatMap(own => own.names)
    if (names.length === 0) return
    const placeholders = Object.fromEntries(names.map(name => [name, 'x']))
    const { result, bytes: after } = apply(bytes, { op: 'fill_placeholders', placeholders })
    if (!result.ok) {
      expect(result.failure.code).toMatch(/CONFLICT|NO_SUCH_REGION/)
      return
    }
    const [done] = result.value.results
    expect(done!.filled).toBeGreaterThan(0)
    unwrap(unwrap(DocxDocument.open(after, NAME)).map())
  })

  test.each(files)('$file: cleaned, it has no comments and no tracked changes', file => {
    const bytes = readCorpusFile(file)
    const { result, bytes: after } = apply(bytes, { op: 'clean' })
    if (!result.ok) return expect(result.failure.code).toBe('NO_SUCH_REGION')
    const { fields } = unwrap(unwrap(DocxDocument.open(after, NAME)).map())
    expect(fields.revisions).toBeUndefined()
    const again = apply(after, { op: 'clean' }).result
    expect(again.ok ? again.value.results : again.failure.code).toBe('NO_SUCH_REGION')
  })

  test.each(files)('$file: tracked Markdown is rejected to the base', file => {
    const bytes = readCorpusFile(file)
    const markdown = '# New\n\nText with **bold**.\n\n> Quoted\n\n| A | B |\n|---|---|\n| 1 | 2 |'
    const insert = { op: 'insert_markdown', markdown, track: { author: 'Filewright test' } }
    const { result, bytes: after } = apply(bytes, insert)
    if (!result.ok) return expect(result.failure.code).toBe('INVALID_ARGUMENT')
    const rejected = apply(after, { op: 'reject_revisions', author: 'Filewright test' })
    expect(canonical(rejected.bytes)).toEqual(canonical(bytes))
  })
})
