import type {
  ApprovalId,
  CallState,
  Decision,
  DocPath,
  DraftId,
  DraftLine,
  DraftState,
  LoggedOperation,
  RelativePath,
  SessionId,
  Sha256,
} from '@filewright/protocol'

/** A draft as its log tells it. Made by `foldDraft` alone: nothing here is stored beside the lines. */
export interface Draft {
  readonly id: DraftId
  readonly sessionId: SessionId
  readonly open: Extract<DraftLine, { type: 'open' }>
  state: DraftState
  touched: string
  /** In the order in which they entered the draft. */
  readonly files: Map<DocPath, DraftFile>
  readonly outcomes: Map<string, CallState>
  approvalId?: ApprovalId
  decision?: Decision
  close?: Extract<DraftLine, { type: 'close' }>
}

export interface DraftFile {
  readonly docPath: DocPath
  readonly path: RelativePath
  readonly format: string
  /** What lies on disk under this docPath, and must still lie there at publish; null: nothing. */
  readonly disk: Sha256 | null
  /** What the operations begin with; null: an empty text. */
  readonly begin: Sha256 | null
  /** The operations up to `begin` belong to the file it was copied or moved from. */
  readonly origin?: FileOrigin
  /** Made by `copy_from`: the content began as a copy of this file. */
  readonly copyOf?: DocPath
  readonly log: readonly LoggedOperation[]
  readonly isDeleted: boolean
  readonly deletion?: {
    readonly toolCallId: string
    readonly index: number
    readonly sizeBytes: number
  }
  readonly allowProtected?: boolean
  readonly allowBreakSignature?: boolean
}

export interface FileOrigin {
  readonly how: 'move' | 'copy'
  readonly from: DocPath
  readonly fromPath: RelativePath
  /** What the source has on disk, to be deleted by a move; null: it exists in the draft only. */
  readonly fromBase: Sha256 | null
  readonly toolCallId: string
  readonly index: number
  /** The operations that had made the content when it was taken. */
  readonly after: readonly LoggedOperation[]
}

export function foldDraft(lines: readonly DraftLine[]): Draft | undefined {
  const [first, ...rest] = lines
  if (first?.type !== 'open') return undefined
  const draft: Draft = {
    id: first.draftId,
    sessionId: first.sessionId,
    open: first,
    state: 'open',
    touched: first.time,
    files: new Map(),
    outcomes: new Map(),
  }
  for (const line of rest) addLine(draft, line)
  return draft
}

/** To try lines on: what is added to it does not touch the draft. */
export function scratchOf(draft: Draft): Draft {
  return { ...draft, files: new Map(draft.files), outcomes: new Map() }
}

/** Adding a line to a fold is the same as folding all lines again. */
export function addLine(draft: Draft, line: DraftLine): void {
  if ('time' in line) draft.touched = line.time
  switch (line.type) {
    case 'open':
      throw new Error(`Draft ${draft.id} is opened twice`)
    case 'edit':
      return addEdit(draft, line)
    case 'copy':
    case 'move':
      return addArrangement(draft, line)
    case 'delete':
      return addDeletion(draft, line)
    case 'ask':
      draft.approvalId = line.approvalId
      return
    case 'decide':
      draft.decision = line.decision
      return
    case 'refuse':
      return
    case 'outcome':
      draft.outcomes.set(line.toolCallId, line.state)
      return
    case 'close':
      draft.state = line.how
      draft.close = line
  }
}

function addEdit(draft: Draft, line: Extract<DraftLine, { type: 'edit' }>) {
  const held = draft.files.get(line.docPath)
  const file: DraftFile =
    held && !held.isDeleted
      ? held
      : {
          docPath: line.docPath,
          path: line.path,
          format: line.format,
          disk: held ? held.disk : line.base,
          begin: line.begin ?? (held ? null : line.base),
          ...(line.from && { copyOf: line.from }),
          log: [],
          isDeleted: false,
        }
  draft.files.set(line.docPath, {
    ...file,
    log: [...file.log, ...line.operations],
    allowProtected: file.allowProtected || line.allowProtected,
    allowBreakSignature: file.allowBreakSignature || line.allowBreakSignature,
  })
}

function addArrangement(draft: Draft, line: Extract<DraftLine, { type: 'copy' | 'move' }>) {
  const source = draft.files.get(line.from)
  const target = draft.files.get(line.docPath)
  draft.files.set(line.docPath, {
    docPath: line.docPath,
    path: line.path,
    format: line.format,
    disk: target?.disk ?? null,
    begin: line.begin,
    origin: toOrigin(line, source),
    log: [],
    isDeleted: false,
  })
  if (line.type === 'copy') return
  draft.files.set(line.from, {
    docPath: line.from,
    path: line.fromPath,
    format: line.format,
    disk: line.fromBase,
    begin: null,
    log: [],
    isDeleted: true,
  })
}

/** Moved twice is moved once, from where it lies on disk. */
function toOrigin(
  line: Extract<DraftLine, { type: 'copy' | 'move' }>,
  source: DraftFile | undefined,
): FileOrigin {
  const { toolCallId, index } = line
  const earlier = line.type === 'move' && source?.disk === null ? source.origin : undefined
  const isMovedOn = earlier?.how === 'move'
  return {
    how: line.type,
    from: isMovedOn ? earlier.from : line.from,
    fromPath: isMovedOn ? earlier.fromPath : line.fromPath,
    fromBase: isMovedOn ? earlier.fromBase : line.fromBase,
    toolCallId,
    index,
    after: [...(isMovedOn ? earlier.after : []), ...(source?.log ?? [])],
  }
}

function addDeletion(draft: Draft, line: Extract<DraftLine, { type: 'delete' }>) {
  const file = draft.files.get(line.docPath)
  const gone = { begin: null, log: [], isDeleted: true, format: file?.format ?? 'text' }
  const disk = file ? file.disk : line.base
  draft.files.set(line.docPath, {
    docPath: line.docPath,
    path: line.path,
    disk,
    ...gone,
    deletion: line,
  })
  if (file?.origin?.how !== 'move') return
  // what was moved here and is deleted now is deleted where it came from
  const { from, fromPath, fromBase } = file.origin
  draft.files.set(from, { docPath: from, path: fromPath, disk: fromBase, ...gone, deletion: line })
}
