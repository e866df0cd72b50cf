import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { corpusFiles, hasCorpus, IS_FULL, readCorpusFile } from '../../corpus.contract.ts'
import { wordText } from './doc/word-text.ts'

const has = (program: string, argument: string) =>
  spawnSync(program, [argument], { timeout: 60_000 }).error === undefined
const canCompare = IS_FULL && hasCorpus && has('antiword', '-h') && has('soffice', '--version')

/** Tokens of one that the other has too, of all in both. */
function similarity(a: string, b: string): number {
  const tokens = (text: string) => text.match(/[\p{L}\p{N}]+/gu) ?? []
  const left = new Map<string, number>()
  const [ours, theirs] = [tokens(a), tokens(b)]
  for (const token of ours) left.set(token, (left.get(token) ?? 0) + 1)
  let shared = 0
  for (const token of theirs) {
    const count = left.get(token) ?? 0
    if (count > 0) shared++
    left.set(token, count - 1)
  }
  return (2 * shared) / Math.max(1, ours.length + theirs.length)
}

const whyNot = IS_FULL ? 'antiword, LibreOffice or the corpus is missing' : 'it is of the full tier'
test.skipIf(!canCompare)(
  `documents of the corpus that LibreOffice saved as .doc read as antiword reads them${canCompare ? '' : ` (skipped: ${whyNot})`}`,
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'filewright-doc-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const files = corpusFiles(({ file }) => /^docx\/.*\.docx$/.test(file))
    for (const [index, file] of files.entries())
      writeFileSync(join(folder, `${index}.docx`), readCorpusFile(file))
    const sources = files.map((_, index) => join(folder, `${index}.docx`))
    const convert = ['--headless', '--convert-to', 'doc:MS Word 97', '--outdir', folder]
    execFileSync('soffice', [...convert, ...sources], { timeout: 500_000, stdio: 'ignore' })
    const scores = readdirSync(folder)
      .filter(name => name.endsWith('.doc'))
      .flatMap(name => {
        const theirs = spawnSync('antiword', ['-m', 'UTF-8.txt', '-w', '0', join(folder, name)])
        if (theirs.status !== 0 || theirs.stdout.length < 200) return []
        const ours = wordText(readFileSync(join(folder, name)), name)
        return [{ name, score: ours.ok ? similarity(ours.value, String(theirs.stdout)) : 0 }]
      })
      .sort((a, b) => a.score - b.score)
    const median = scores[Math.floor(scores.length / 2)]!.score
    console.log(`${scores.length} documents, median ${median}, least`, scores.slice(0, 8))
    expect(scores.length).toBeGreaterThan(20)
    expect(median).toBeGreaterThan(0.95)
  },
  600_000,
)
