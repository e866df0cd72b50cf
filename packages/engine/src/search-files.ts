import { findFormat, type SearchHits, type SearchQuery } from '@filewright/documents'
import { fail, ok, type Result } from '@filewright/protocol'
import type { EngineQuery, SearchedFile, SearchedFiles } from './engine.ts'
import type { LoadFormat } from './load-format.ts'
import { createShelf } from './shelf.ts'

const HELD_BYTES = 96 * 1024 * 1024 // a large tree of source code; decoded, twice that
const HELD_FILES = 20_000
const NONE: SearchHits = { hits: [], isTruncated: false, total: 0 }

export type SearchFiles = (
  files: readonly SearchedFile[],
  query: EngineQuery,
) => Promise<Result<SearchedFiles>>

/** Keeps what it opened, so that the next search of the same files needs none of their bytes. */
export function createFileSearch(loadFormat: LoadFormat): SearchFiles {
  const shelf = createShelf({ maxBytes: HELD_BYTES, maxDocuments: HELD_FILES })
  const unreadable = new Set<string>()

  function searchHeld(state: string, query: SearchQuery): Result<SearchHits> | undefined {
    const held = shelf.take(state, state)
    if (held) return held.document.search(query)
    return unreadable.has(state) ? ok(NONE) : undefined
  }

  async function searchSent(
    { format, name, bytes }: NonNullable<SearchedFile['source']>,
    state: string,
    query: SearchQuery,
  ): Promise<Result<SearchHits>> {
    if (format === null) {
      if (unreadable.size < HELD_FILES) unreadable.add(state)
      return ok(NONE)
    }
    const opened = (await loadFormat(format)).open(bytes, name)
    if (!opened.ok) return opened
    // An open package takes many times its size. What can be hostile is sent and searched by itself each time.
    if (findFormat(format)?.hostile === false)
      shelf.put(state, { state, document: opened.value, bytes })
    return opened.value.search(query)
  }

  return async (files, asked) => {
    const query = toSearchQuery(asked)
    if (!query.ok) return query
    const found = new Map<number, Result<SearchHits>>()
    const unheld: number[] = []
    let left = asked.maxHitsInAll ?? Number.POSITIVE_INFINITY
    for (const [i, { state, source }] of files.entries()) {
      const within = { ...query.value, maxHits: Math.min(query.value.maxHits, left) }
      const held = searchHeld(state, within)
      const result = held ?? (source && (await searchSent(source, state, within)))
      if (!result) unheld.push(i)
      else if (!result.ok || result.value.isTruncated || result.value.hits.length > 0)
        found.set(i, result)
      if (result?.ok) left -= result.value.hits.length
    }
    return ok({ found, unheld })
  }
}

/** The expression is compiled where it runs. */
export function toSearchQuery(query: EngineQuery): Result<SearchQuery, 'INVALID_ARGUMENT'> {
  const { regex, maxHitsInAll: _, ...rest } = query
  if (!regex) return ok(rest)
  try {
    return ok({ ...rest, regex: new RegExp(regex.source, regex.flags) })
  } catch (error) {
    return fail(
      'INVALID_ARGUMENT',
      `Cannot search: ${(error as Error).message}. Send a JavaScript regular expression, or plain text.`,
    )
  }
}
