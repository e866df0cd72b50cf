import type { SearchHits } from '@filewright/documents'
import type { Result } from '@filewright/protocol'
import type { FileSearch, FoundInFile, SearchedTree } from '@filewright/tools'
import type { SearchCandidate } from './search-candidates.ts'

const MOST_NAMED = 20 // of the files that could not be searched

/** What was found up to the first file that time did not allow to search, in the order of the paths. */
export function toAnswer(
  candidates: readonly SearchCandidate[],
  results: ReadonlyMap<string, Result<SearchHits>>,
  asked: FileSearch,
): SearchedTree {
  const unreached = candidates.findIndex(({ docPath }) => !results.has(docPath))
  const reached = unreached < 0 ? candidates : candidates.slice(0, unreached)
  const found: FoundInFile[] = []
  const failed: { path: string; reason: string }[] = []
  for (const { docPath, path } of reached) {
    const result = results.get(docPath)!
    if (!result.ok) failed.push({ path, reason: result.failure.message })
    else {
      const { hits, total = hits.length, isTruncated } = result.value
      const isMore = result.value.total === undefined && isTruncated
      if (total > 0) found.push({ path, docPath, count: total, isMore, hits })
    }
  }
  const shown = firstOf(found, asked)
  const next = shown.length < found.length ? shown.at(-1) : unreached > 0 ? reached.at(-1) : null
  return {
    files: shown,
    fileCount: found.length,
    hitCount: found.reduce((sum, { count }) => sum + count, 0),
    searched: reached.length,
    total: candidates.length,
    unsearched: { total: failed.length, first: failed.slice(0, MOST_NAMED) },
    next: next?.path ?? null,
  }
}

/** As many files as their hits allow; each is shown whole. */
function firstOf(found: readonly FoundInFile[], { maxHits, maxPerFile }: FileSearch) {
  let shown = 0
  const end = found.findIndex(({ hits }) => {
    const isFull = shown >= maxHits
    shown += maxPerFile === 0 ? 1 : hits.length
    return isFull
  })
  return end < 0 ? found : found.slice(0, end)
}
