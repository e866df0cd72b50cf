import type {
  DocPath,
  GrowingList,
  LoggedOperation,
  OperationRef,
  RelativePath,
  Sha256,
} from '@filewright/protocol'

/** A file as the draft has it. */
export interface DraftFile {
  readonly docPath: DocPath
  readonly path: RelativePath
  /** Its spelling on disk, if the draft changes it. */
  readonly diskPath?: RelativePath
  /** The file it leads to, when the path is a link. */
  readonly linkTo?: DocPath
  readonly format: string
  /** The content on disk under this docPath, which publish requires unchanged; null: none. */
  readonly disk: Sha256 | null
  /** The content the operations start from; null: empty. */
  readonly begin: Sha256 | null
  readonly origin?: FileOrigin
  /** Made by `copy_from`: the content began as a copy of this file. */
  readonly copyOf?: DocPath
  /** Operations that had made the copied content when it was copied: the copy depends on each of them. */
  readonly takes?: readonly OperationRef[]
  /** The deleted or moved file whose place it took; restored when this one goes. */
  readonly under?: DraftFile
  /** The call that brought it into the draft; it may have asked for no operation. */
  readonly enteredBy?: string
  readonly log: GrowingList<LoggedOperation>
  /** Places that its operations changed, as counted when they were done. */
  readonly changeCount?: number
  readonly isDeleted: boolean
  readonly deletion?: {
    readonly toolCallId: string
    readonly index: number
    readonly sizeBytes: number
    /** The file as edited before: it remains when the deletion is refused. */
    readonly edited?: DraftFile
  }
  readonly allowProtected?: boolean
  readonly allowBreakSignature?: boolean
}

export interface FileOrigin extends OperationRef {
  readonly how: 'move' | 'copy' | 'export'
  readonly from: DocPath
  readonly fromPath: RelativePath
  /**
   * The file on disk whose permissions and owner it takes: a copy of a moved file takes them from the original place.
   */
  readonly like: RelativePath
  /** The file as it was when it was moved; its operations are the first of the moved file's log. */
  readonly source?: DraftFile
}
