import type { DocPath, RelativePath } from '../words/doc-path.ts'
import type { Sha256 } from '../words/hash.ts'
import type { ChangeSetId } from '../words/ids.ts'
import type { Content } from './content.ts'

/**
 * Files written at once, all or none. `base` is the sha256 the file must have now (null: it must not exist). `content`
 * null deletes. A move is a delete and a create in one set.
 */
export interface FileChange {
  readonly docPath: DocPath
  readonly path: RelativePath
  readonly base: Sha256 | null
  readonly content: Content | null
  /** The sha256 of the new content; null when the file is deleted. */
  readonly sha256: Sha256 | null
  /** The file it was moved or copied from, whose permissions it takes; absent: its own, or a new file's. */
  readonly like?: RelativePath
}

export interface ChangeSet {
  readonly id: ChangeSetId
  readonly label?: string
  readonly files: readonly FileChange[]
}

/** A file before and after an apply, by hash: what undo needs. */
export interface AppliedFile {
  readonly docPath: DocPath
  readonly path: RelativePath
  /** The real path of the bytes, when the path is a link. */
  readonly realPath?: RelativePath
  readonly before: Sha256 | null
  readonly after: Sha256 | null
  readonly sizeBytes: number
  /** Permissions and owner of a file that was deleted or took those of another: they are recorded nowhere else. */
  readonly mode?: number
  readonly uid?: number
  readonly gid?: number
}

/** An undo or a redo: a change set of its own. */
export interface TakenBack extends Applied {
  /** The draft the changes came from; absent when it is no longer kept. */
  readonly of?: { readonly draftId: string; readonly sessionId: string }
}

export interface Applied {
  readonly changeSetId: ChangeSetId
  readonly files: readonly AppliedFile[]
  readonly warnings: readonly string[]
}

/** What was written at once. */
export interface ChangeSetSummary {
  readonly changeSetId: string
  readonly label?: string
  /** ISO 8601. */
  readonly time: string
  readonly files: readonly {
    readonly path: string
    readonly docPath: string
    readonly before: string | null
    readonly after: string | null
  }[]
  /** It is in effect, so it can be undone; else it was taken back, and can be redone. */
  readonly isStanding: boolean
  /** The change set that this one took back. */
  readonly undoes?: string
  readonly draftId?: string
  readonly sessionId?: string
  /** The calls whose changes it has, as they are in the session's log. */
  readonly toolCallIds?: readonly string[]
}
