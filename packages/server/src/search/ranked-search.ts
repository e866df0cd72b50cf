import type { WorkspaceId } from '@filewright/protocol'
import type { RankedSearch, Snippet, SourceReader, SymbolUsage } from '@filewright/tools'
import type { FoundChunk, SearchIndex } from '../store/search-index.ts'
import { wordsOf } from '../store/search-words.ts'
import { type ChunkEngine, createWorkspaceIndex, type IndexState } from './workspace-index.ts'

export interface RankedSearchOptions {
  readonly index: SearchIndex
  readonly readerOf: (workspaceId: WorkspaceId) => SourceReader
  readonly engine?: ChunkEngine
  readonly onError: (cause: unknown) => void
}

const FIRST_WAIT_MS = 8_000 // a small tree is whole in the first answer
const WAIT_MS = 1_500 // what changed since the last one is found within 2 s
const MORE = 4 // times the answer, of which a folder or a form leaves some
const USAGE_CHUNKS = 1_000

/** One search for each workspace; nothing is read or indexed before somebody searches. */
export function createRankedSearch(
  options: RankedSearchOptions,
): (workspaceId: WorkspaceId) => RankedSearch {
  const searches = new Map<WorkspaceId, RankedSearch>()
  return workspaceId => {
    let search = searches.get(workspaceId)
    if (!search) searches.set(workspaceId, (search = searchOf(workspaceId, options)))
    return search
  }
}

function searchOf(
  workspaceId: WorkspaceId,
  { index, readerOf, engine, onError }: RankedSearchOptions,
): RankedSearch {
  const reader = readerOf(workspaceId)
  const own = createWorkspaceIndex({ workspaceId, index, reader, engine, onError })
  let isFirst = true

  async function refresh(): Promise<IndexState> {
    const waitMs = isFirst ? FIRST_WAIT_MS : WAIT_MS
    isFirst = false
    return own.refresh(waitMs)
  }

  return {
    async find(query, { limit, isWanted }) {
      const state = await refresh()
      const words = wordsOf(query)
      const found = await index.search(workspaceId, words, isWanted ? limit * MORE * 10 : limit)
      const kept = isWanted ? found.filter(({ docPath }) => isWanted(docPath)) : found
      return { state, snippets: kept.slice(0, limit).map(toSnippet) }
    },
    async symbol(name, { limit, isWanted = () => true }) {
      const state = await refresh()
      const defined = await index.definitions(workspaceId, name, limit * MORE)
      const definitions = defined.filter(({ docPath }) => isWanted(docPath))
      const chunks = await index.search(workspaceId, [name.toLowerCase()], USAGE_CHUNKS)
      const usages = chunks
        .filter(({ docPath }) => isWanted(docPath))
        .flatMap(chunk => usagesIn(chunk, name, definitions))
        .sort((a, b) =>
          a.docPath === b.docPath ? a.line - b.line : a.docPath < b.docPath ? -1 : 1,
        )
      return {
        state,
        definitions: definitions.slice(0, limit).map(toSnippet),
        usages: usages.slice(0, limit),
        usageCount: usages.length,
      }
    },
  }
}

function toSnippet({ place, symbol: _, ...chunk }: FoundChunk): Snippet {
  return { ...chunk, chunkPath: toChunkPath(chunk.docPath, place) }
}

function toChunkPath(docPath: string, place: string): string {
  return `${docPath}#${place}`
}

/** The lines with exactly this word, but for the line that defines it. */
function usagesIn(
  { docPath, path, place, text, lineStart, language, symbol }: FoundChunk,
  name: string,
  definitions: readonly FoundChunk[],
): SymbolUsage[] {
  const isWord = new RegExp(`(?<![\\p{L}\\p{N}_$])${escaped(name)}(?![\\p{L}\\p{N}_$])`, 'u')
  const isDefinition = symbol?.toLowerCase() === name.toLowerCase() && definitions.length > 0
  let isDefined = !isDefinition
  return text.split('\n').flatMap((line, i) => {
    if (!isWord.test(line)) return []
    if (!isDefined) {
      isDefined = true
      return []
    }
    const chunkPath = toChunkPath(docPath, place)
    return [{ docPath, path, chunkPath, language, line: lineStart + i, text: line.slice(0, 300) }]
  })
}

function escaped(name: string): string {
  return name.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}
