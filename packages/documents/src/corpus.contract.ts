import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Real files for tests; a clone without them skips what needs them. */
const here = dirname(fileURLToPath(import.meta.url))
export const CORPUS = resolve(
  process.env.FILEWRIGHT_CORPUS ?? join(here, '../../../../shared/corpus'),
)
export const IS_FULL = process.env.FILEWRIGHT_FULL === '1'

export interface CorpusFile {
  readonly file: string
  readonly category: string
  readonly size: number
  readonly features: readonly string[]
  readonly expect?: string
}

export const hasCorpus = existsSync(join(CORPUS, 'index.json'))

export function corpusFiles(accepts: (file: CorpusFile) => boolean): CorpusFile[] {
  if (!hasCorpus) return []
  const index = JSON.parse(readFileSync(join(CORPUS, 'index.json'), 'utf8')) as {
    entries: CorpusFile[]
  }
  return index.entries.filter(accepts)
}

export function readCorpusFile(file: CorpusFile): Uint8Array {
  return readFileSync(join(CORPUS, file.file))
}

/** Every n-th, so that a quick run sees all kinds; all of them in a full run. */
export function sampleOf<T>(items: readonly T[], size: number): readonly T[] {
  if (IS_FULL || items.length <= size) return items
  const step = items.length / size
  return Array.from({ length: size }, (_, index) => items[Math.floor(index * step)]!)
}
