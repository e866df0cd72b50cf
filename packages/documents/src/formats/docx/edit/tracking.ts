import type { LoggedOperation } from '@filewright/protocol'
import { encodeAttribute, type LiveNode, type LiveTree } from '../../../opc/index.ts'
import type { DocumentSettings } from '../parts/settings.ts'
import type { Manuscript } from '../story/manuscript.ts'

/** Our edits become tracked changes of this author. */
export interface Tracking {
  readonly author: string
  /** The protection of the document demands it. */
  readonly isDemanded: boolean
  /** The attributes of a new tracked change; its id occurs in no part. */
  attributes(): string
}

/** Elements whose ids are those of tracked changes. */
const REVISIONS: ReadonlySet<string> = new Set(
  `ins del moveFrom moveTo moveFromRangeStart moveFromRangeEnd moveToRangeStart moveToRangeEnd rPrChange pPrChange
  sectPrChange tblPrChange tblPrExChange trPrChange tcPrChange tblGridChange numberingChange cellIns cellDel cellMerge
  bookmarkStart bookmarkEnd`
    .split(/\s+/)
    .map(name => `w:${name}`),
)

/**
 * Whether edits are tracked: always where the protection demands it, unless `track: false` where the document records
 * changes, otherwise only when asked. The document's own switch stays as it is.
 */
export function trackingFor(
  manuscript: Manuscript,
  settings: Pick<DocumentSettings, 'isTracking' | 'protection'>,
  { operation, circumstances }: Pick<LoggedOperation, 'operation' | 'circumstances'>,
): Tracking | undefined {
  const { track } = operation
  const isDemanded = settings.protection === 'trackedChanges'
  const isAsked = track !== undefined && track !== null && track !== false
  const isOn = isDemanded || isAsked || (settings.isTracking && track !== false)
  if (!isOn) return undefined
  const named =
    typeof track === 'object' && track !== null ? (track as { author?: unknown }).author : undefined
  const author =
    typeof named === 'string' && named !== '' ? named : circumstances.author || 'Filewright'
  const date = circumstances.time.replace(/\.\d+Z$/, 'Z')
  let last: number | undefined
  return {
    author,
    isDemanded,
    attributes() {
      last = (last ?? highestId(manuscript)) + 1
      return `w:id="${last}" w:author="${encodeAttribute(author)}" w:date="${encodeAttribute(date)}"`
    },
  }
}

const HIGHEST = 2_000_000_000 // ids are 32 bits

/** Ids of tracked changes and bookmarks, over all parts. */
export function highestId(manuscript: Manuscript): number {
  let highest = 0
  for (const { tree, root } of manuscript.stories)
    for (const node of revisionMarks(root)) {
      const id = Number(tree.attribute(node, 'w:id'))
      if (Number.isInteger(id) && id > highest && id < HIGHEST) highest = id
    }
  return highest
}

/** Every element of a tracked change, in document order. */
export function* revisionMarks(node: LiveNode): Generator<LiveNode> {
  for (const child of node.children) {
    if (REVISIONS.has(child.name)) yield child
    if (child.children.length > 0) yield* revisionMarks(child)
  }
}

export function isBy(
  tree: LiveTree,
  node: LiveNode | null | undefined,
  tracking: Tracking,
): boolean {
  return node !== null && node !== undefined && tree.attribute(node, 'w:author') === tracking.author
}
