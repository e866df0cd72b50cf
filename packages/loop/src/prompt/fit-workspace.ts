import { LIMITS } from '@filewright/protocol'
import type { Manifest, Snapshot } from '../port/prompt-input.ts'
import { estimateTokens } from '../port/tokens.ts'

export interface FittedWorkspace {
  readonly snapshot: Snapshot
  readonly manifest: Manifest
}

const SHARE = 1 / 8 // of the context: what a model must know before it looks by itself
const MANIFEST_FILES = 200
const ROW_TOKENS = 14 // of a manifest's row, besides its path

/**
 * As much of the workspace as the context has room for: every top-level folder first, then files and deeper folders, in
 * turn from each of them, so that a large one does not hide the others. What is left out is counted.
 */
export function fitWorkspace(
  { entries, total = entries.length }: Snapshot,
  manifest: Manifest,
  contextTokens: number,
): FittedWorkspace {
  let left = contextTokens * SHARE
  const take = (tokens: number): boolean => {
    if (tokens > left) return false
    left -= tokens
    return true
  }
  const near = entries.filter(entry => depthOf(entry) <= LIMITS.snapshotDepth)
  const tops = near.filter(entry => entry.endsWith('/') && depthOf(entry) === 1)
  const folders = tops.filter(
    (entry, index) => index < LIMITS.snapshotEntries && take(rowOf(entry)),
  )
  const files = inTurn(manifest.files, ({ path }) => path)
    .slice(0, MANIFEST_FILES)
    .filter(file => take(rowOf(file.path) + ROW_TOKENS))
  const listed = new Set([...folders, ...files.map(({ path }) => path)])
  const others = inTurn(
    near.filter(entry => !listed.has(entry)),
    entry => entry,
  )
    .slice(0, LIMITS.snapshotEntries - folders.length)
    .filter(entry => take(rowOf(entry)))
  return {
    snapshot: { entries: inOrder(near, [...folders, ...others]), total },
    manifest: {
      ...manifest,
      files: inOrder(manifest.files, files),
      total: manifest.total ?? manifest.files.length,
    },
  }
}

/** One of each top-level folder, then the next of each, those beside the folders first. */
function inTurn<Item>(items: readonly Item[], pathOf: (item: Item) => string): Item[] {
  const queues = new Map<string, Item[]>()
  for (const item of items) {
    const top = topOf(pathOf(item))
    const queue = queues.get(top) ?? []
    queue.push(item)
    queues.set(top, queue)
  }
  const beside = queues.get('') ?? []
  const lists = [...queues].flatMap(([top, list]) => (top === '' ? [] : [list]))
  const longest = Math.max(0, ...lists.map(list => list.length))
  const turns = Array.from({ length: longest }, (_, turn) =>
    lists.flatMap(list => list[turn] ?? []),
  )
  return [...beside, ...turns.flat()]
}

/** The chosen ones as they were listed: a list that changes little is sent as what changed. */
function inOrder<Item>(items: readonly Item[], chosen: readonly Item[]): Item[] {
  const set = new Set(chosen)
  return items.filter(item => set.has(item))
}

function topOf(path: string): string {
  const slash = path.indexOf('/')
  return slash < 0 ? '' : path.slice(0, slash)
}

function depthOf(entry: string): number {
  return entry.replace(/\/$/, '').split('/').length
}

function rowOf(path: string): number {
  return estimateTokens(path) + 1
}
