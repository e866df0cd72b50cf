import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { unwrap } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { CORPUS, corpusFiles, hasCorpus, IS_FULL, readCorpusFile } from '../../corpus.contract.ts'
import type { DocumentName } from '../../format.ts'
import { startPdf } from './start.ts'

const NAME = { docPath: 'a.pdf', path: 'A.pdf' } as DocumentName

test.skipIf(!IS_FULL || !hasCorpus)('the text of a page is what poppler reads', async () => {
  const pdf = await startPdf()
  const alike: number[] = []
  for (const file of corpusFiles(({ category }) => category === 'pdf')) {
    const document = unwrap(pdf.open(readCorpusFile(file), NAME))
    const { fields } = unwrap(document.read({}, { maxBytes: 1_000_000 }))
    for (const { page, text } of fields.pages as { page: number; text: string }[]) {
      const theirs = tokensOf(poppler(file.file, page))
      if (theirs.length > 0 && text !== '') alike.push(similarity(tokensOf(text), theirs))
    }
  }
  const median = alike.sort((a, b) => a - b)[alike.length >> 1]!
  console.info(`${alike.length} pages, median similarity ${median.toFixed(3)}`)
  expect(alike.length).toBeGreaterThan(15)
  expect(median).toBeGreaterThanOrEqual(0.95)
})

function poppler(file: string, page: number): string {
  const range = ['-f', `${page}`, '-l', `${page}`]
  const done = spawnSync('pdftotext', [...range, join(CORPUS, file), '-'])
  if (done.error) throw new Error('test:full needs poppler: apt-get install poppler-utils')
  return done.stdout.toString()
}

function tokensOf(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  )
}

/** Tokens that both have, of those that either has. */
function similarity(ours: readonly string[], theirs: readonly string[]): number {
  const left = new Map<string, number>()
  for (const token of theirs) left.set(token, (left.get(token) ?? 0) + 1)
  let both = 0
  for (const token of ours) {
    const count = left.get(token) ?? 0
    if (count > 0) both++
    left.set(token, count - 1)
  }
  return (2 * both) / (ours.length + theirs.length)
}
