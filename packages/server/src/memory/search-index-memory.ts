import type { FileChunks } from '@filewright/documents'
import type { FoundChunk, IndexedFile, SearchIndex } from '../store/search-index.ts'
import { partsIn } from '../store/search-words.ts'

interface Kept {
  readonly chunk: FoundChunk
  /** Stems, of the name and of all. */
  readonly name: ReadonlySet<string>
  readonly all: ReadonlySet<string>
}

/** Without a database: every chunk is looked at. */
export function createMemorySearchIndex(): SearchIndex {
  const workspaces = new Map<string, Map<string, { file: IndexedFile; kept: readonly Kept[] }>>()
  const of = (workspaceId: string) => {
    const known = workspaces.get(workspaceId) ?? new Map()
    workspaces.set(workspaceId, known)
    return known as Map<string, { file: IndexedFile; kept: readonly Kept[] }>
  }
  const chunksOf = (workspaceId: string) =>
    [...of(workspaceId).values()].flatMap(({ kept }) => kept)

  return {
    async files(workspaceId) {
      return new Map([...of(workspaceId)].map(([docPath, { file }]) => [docPath, file]))
    },
    async put(workspaceId, file, chunks) {
      of(workspaceId).set(file.docPath, { file, kept: toKept(file, chunks) })
    },
    async touch(workspaceId, file) {
      const known = of(workspaceId).get(file.docPath)
      if (known) of(workspaceId).set(file.docPath, { ...known, file })
    },
    async remove(workspaceId, docPaths) {
      for (const docPath of docPaths) of(workspaceId).delete(docPath)
    },
    async search(workspaceId, words, limit) {
      const all = chunksOf(workspaceId)
      const stems = [...new Set(words.map(stem))]
      const rarity = new Map(
        stems.map(word => [
          word,
          Math.log(1 + all.length / (1 + all.filter(k => k.all.has(word)).length)),
        ]),
      )
      const scored = all.map(kept => ({ kept, score: scoreOf(kept, rarity) }))
      return scored
        .filter(({ score }) => score > 0)
        .sort((a, b) => b.score - a.score)
        .slice(0, limit)
        .map(({ kept }) => kept.chunk)
    },
    async definitions(workspaceId, symbol, limit) {
      const sought = symbol.toLowerCase()
      return chunksOf(workspaceId)
        .map(({ chunk }) => chunk)
        .filter(chunk => chunk.symbol?.toLowerCase() === sought)
        .sort((a, b) => (a.docPath < b.docPath ? -1 : 1) || a.lineStart - b.lineStart)
        .slice(0, limit)
    },
  }
}

function toKept({ docPath, path }: IndexedFile, { language, chunks }: FileChunks): readonly Kept[] {
  return chunks.map(({ symbol = null, ...rest }) => {
    const name = `${path} ${rest.place}`
    return {
      chunk: { docPath, path, language, symbol, ...rest },
      name: stemsOf(name),
      all: stemsOf(`${name} ${rest.text}`),
    }
  })
}

function scoreOf({ name, all }: Kept, rarity: ReadonlyMap<string, number>): number {
  let score = 0
  for (const [word, weight] of rarity)
    score += (all.has(word) ? weight : 0) + (name.has(word) ? 3 * weight : 0)
  return score
}

function stemsOf(text: string): ReadonlySet<string> {
  const words = `${text} ${partsIn(text)}`.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return new Set(words.map(stem))
}

/** The commonest endings of English: enough for `taxes` to find `tax`. */
function stem(word: string): string {
  return word.length <= 4 ? word.replace(/s$/, '') : word.replace(/(?:ing|ed|es|s|e)$/, '')
}
