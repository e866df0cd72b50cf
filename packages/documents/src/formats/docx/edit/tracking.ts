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
  /** Says of something that it has no form as a tracked change; throws where nothing else is allowed. */
  hasNoForm(what: string): void
}

/**
 * Whether edits are tracked: always where the protection demands it, unless `track: false` where the document records
 * changes, otherwise only when asked. The document's own switch stays as it is.
 */
export function trackingFor(
  manuscript: Manuscript,
  settings: Pick<DocumentSettings, 'isTracking' | 'protection'>,
  { operation, circumstances }: Pick<LoggedOperation, 'operation' | 'circumstances'>,
  hasNoForm: (what: string) => void,
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
  return {
    author,
    isDemanded,
    hasNoForm,
    attributes() {
      return `w:id="${manuscript.freeRevisionId()}" w:author="${encodeAttribute(author)}" w:date="${encodeAttribute(date)}"`
    },
  }
}

export function isBy(
  tree: LiveTree,
  node: LiveNode | null | undefined,
  tracking: Tracking,
): boolean {
  return node !== null && node !== undefined && tree.attribute(node, 'w:author') === tracking.author
}

/** Whether properties record a change already. They have room for one: over somebody else's, ours has no form. */
export function isRecorded(tree: LiveTree, properties: LiveNode, tracking: Tracking): boolean {
  const known = properties.child(`${properties.name}Change`)
  if (known && !isBy(tree, known, tracking))
    tracking.hasNoForm("formatting over another author's tracked formatting")
  return known !== undefined
}
