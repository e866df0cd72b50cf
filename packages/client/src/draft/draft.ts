import { LINE_TEXT, toWithdrawal, withdrawnBy } from '@filewright/documents'
import {
  type ApprovalId,
  type CallState,
  type ChangeId,
  type ChangeSetId,
  type Decision,
  type DocPath,
  type DraftId,
  type DraftLine,
  type DraftState,
  GrowingList,
  type LoggedOperation,
  type OperationRef,
  type RelativePath,
  type SessionId,
} from '@filewright/protocol'
import type { DraftFile, FileOrigin } from './draft-file.ts'
import { dropOperations } from './drop-operations.ts'
import { linesInView } from './rewound-lines.ts'
import { addSettled } from './settle-file.ts'

export type { DraftFile } from './draft-file.ts'

/** A draft as its log describes it. Only `foldDraft` makes one: nothing here is stored besides the lines. */
export interface Draft {
  readonly id: DraftId
  readonly sessionId: SessionId
  readonly open: Extract<DraftLine, { type: 'open' }>
  state: DraftState
  touched: string
  /** Greater for a draft that was touched later, even when the clock was set back. */
  order: number
  /** Lines that changed what would be published. */
  revision: number
  /** In the order in which they entered the draft. */
  readonly files: Map<DocPath, DraftFile>
  readonly outcomes: Map<string, CallState>
  /** Changes that are in the files already, while others stay in the draft. */
  readonly published: Set<ChangeId>
  /** What was published of it so far, oldest first, with what was undone since. */
  readonly parts: PublishedPart[]
  readonly undone: Set<ChangeSetId>
  /** About to be written when the log ended. */
  publishing?: PublishedPart
  approvalId?: ApprovalId
  decision?: Decision
  close?: Extract<DraftLine, { type: 'close' }>
}

export type PublishedPart = Extract<DraftLine, { type: 'publish' }>

const NO_OPERATIONS = GrowingList.of<LoggedOperation>()

/** Undefined when these are not the lines of a draft. */
export function foldDraft(lines: readonly DraftLine[]): Draft | undefined {
  const [first, ...rest] = lines
  if (first?.type !== 'open' || !rest.every(isFurtherLine)) return undefined
  const draft: Draft = {
    id: first.draftId,
    sessionId: first.sessionId,
    open: first,
    state: 'open',
    touched: first.time,
    order: orderOf(first),
    revision: 0,
    files: new Map(),
    outcomes: new Map(),
    published: new Set(),
    parts: [],
    undone: new Set(),
  }
  for (const line of linesInView(rest))
    if (line) addLine(draft, line)
    else draft.revision++ // a draft that was rewound is not the one that was reviewed before
  return draft
}

function isFurtherLine(line: DraftLine | null): boolean {
  return FURTHER.has(line?.type ?? '')
}

/** For trying lines: additions to it do not touch the draft. */
export function scratchOf(draft: Draft): Draft {
  return { ...draft, files: new Map(draft.files), outcomes: new Map() }
}

const CHANGING: ReadonlySet<string> = new Set([
  'edit',
  'copy',
  'export',
  'move',
  'delete',
  'published',
  'taken-back',
  'rewind',
  'rebase',
  'settle',
])
const FURTHER: ReadonlySet<string> = new Set([
  ...CHANGING,
  'ask',
  'decide',
  'refuse',
  'publish',
  'outcome',
  'close',
])

/** The time, when that is enough. */
export function orderOf({
  time,
  order,
}: {
  readonly time: string
  readonly order?: number
}): number {
  return order ?? Date.parse(time)
}

/** Adding a line to a fold is the same as folding all lines again; only a `rewind` needs them all. */
export function addLine(draft: Draft, line: DraftLine): void {
  if ('time' in line) {
    draft.touched = line.time
    draft.order = Math.max(draft.order, orderOf(line))
  }
  if (CHANGING.has(line.type)) draft.revision++
  switch (line.type) {
    case 'open':
      throw new Error(`Draft ${draft.id} is opened twice`)
    case 'edit':
      return addEdit(draft, line)
    case 'copy':
    case 'export':
    case 'move':
      return addArrangement(draft, line)
    case 'delete':
      return addDeletion(draft, line)
    case 'rebase':
      return addRebase(draft, line)
    case 'settle':
      return addSettled(draft.files, line)
    case 'ask':
      draft.approvalId = line.approvalId
      return
    case 'decide':
      draft.decision = line.decision
      return
    case 'refuse':
      if (dropOperations(draft.files, line.changeIds)) draft.revision++
      return
    case 'publish':
      draft.publishing = line
      return
    case 'published':
      return addPublished(draft, line)
    case 'taken-back':
      return addTakenBack(draft, line)
    case 'rewind':
      return addRewind(draft, line)
    case 'outcome':
      draft.outcomes.set(line.toolCallId, line.state)
      return
    case 'close':
      draft.state = line.how
      draft.close = line
  }
}

/** A file with changes left keeps its log: it is replayed with the published ones in it. */
function addPublished(draft: Draft, { changeSetId }: Extract<DraftLine, { type: 'published' }>) {
  const part = draft.publishing
  if (part?.changeSetId !== changeSetId) return
  draft.publishing = undefined
  draft.parts.push(part)
  for (const id of part.changeIds) draft.published.add(id)
  for (const docPath of part.settled) draft.files.delete(docPath)
  withdraw(draft, part)
}

function addTakenBack(draft: Draft, line: Extract<DraftLine, { type: 'taken-back' }>) {
  const part = draft.parts.find(({ changeSetId }) => changeSetId === line.changeSetId)
  if (!part) return
  if (line.way === 'undo') {
    draft.undone.add(line.changeSetId)
    for (const id of part.changeIds) draft.published.delete(id)
    withdraw(draft, { ...line, by: part.by })
  } else {
    draft.undone.delete(line.changeSetId)
    for (const id of part.changeIds) draft.published.add(id)
    readmit(draft, line.changeSetId)
  }
}

/** What it hides was not folded: see `linesInView`. */
function addRewind(draft: Draft, line: Extract<DraftLine, { type: 'rewind' }>) {
  withdraw(draft, { ...line, changeSetId: `rewind ${line.time}` as ChangeSetId })
  for (const docPath of line.settled) draft.files.delete(docPath)
}

/** From here on the files' logs go on without those changes. */
function withdraw(
  draft: Draft,
  {
    withdrawn = [],
    changeSetId,
    by,
    time,
  }: Pick<PublishedPart, 'withdrawn' | 'changeSetId' | 'by' | 'time'>,
) {
  for (const { docPath, changeIds } of withdrawn) {
    const file = draft.files.get(docPath)
    const circumstances = { time, author: by, seed: 0 }
    const about = { toolCallId: changeSetId, index: 0, circumstances }
    if (file)
      draft.files.set(docPath, { ...file, log: file.log.with([toWithdrawal(changeIds, about)]) })
  }
}

/** Where nothing was done to the file since. */
function readmit(draft: Draft, changeSetId: ChangeSetId) {
  for (const [docPath, file] of draft.files) {
    const last = file.log.at(-1)
    if (last?.toolCallId === changeSetId && withdrawnBy(last))
      draft.files.set(docPath, { ...file, log: GrowingList.of(file.log.slice().slice(0, -1)) })
  }
}

/** The same changes on other bytes; without any left, the file leaves the draft. */
function addRebase(draft: Draft, line: Extract<DraftLine, { type: 'rebase' }>) {
  const { docPath, base, operations, changeCount, published = [] } = line
  const file = draft.files.get(docPath)
  if (!file) return
  forgetPublished(draft, new Set(published))
  const log = NO_OPERATIONS.with(operations)
  if (operations.length === 0) draft.files.delete(docPath)
  else draft.files.set(docPath, { ...file, disk: base, begin: base, log, changeCount })
}

/** A change that is carried to another place may get an id that a published one had. */
function forgetPublished({ published, parts }: Draft, ids: ReadonlySet<ChangeId>) {
  if (ids.size === 0) return
  for (const id of ids) published.delete(id)
  for (const [index, part] of parts.entries())
    parts[index] = { ...part, changeIds: part.changeIds.filter(id => !ids.has(id)) }
}

function addEdit(draft: Draft, line: Extract<DraftLine, { type: 'edit' }>) {
  const held = draft.files.get(line.docPath)
  const file = held && !held.isDeleted ? held : enter(draft, line, held)
  draft.files.set(line.docPath, {
    ...file,
    log: file.log.with(line.operations),
    changeCount: (file.changeCount ?? 0) + (line.changeCount ?? line.operations.length),
    allowProtected: file.allowProtected || line.allowProtected,
    allowBreakSignature: file.allowBreakSignature || line.allowBreakSignature,
  })
}

function enter(
  draft: Draft,
  line: Extract<DraftLine, { type: 'edit' }>,
  gone: DraftFile | undefined,
): DraftFile {
  const source = line.from && draft.files.get(line.from)
  return {
    docPath: line.docPath,
    path: line.path,
    ...(line.linkTo && { linkTo: line.linkTo }),
    format: line.format,
    disk: gone ? gone.disk : line.base,
    begin: line.begin ?? (gone ? null : line.base),
    ...(line.from && { copyOf: line.from }),
    ...(source && { takes: madeBy(source) }),
    ...(gone && { under: gone }),
    enteredBy: line.toolCallId,
    log: NO_OPERATIONS,
    isDeleted: false,
  }
}

function addArrangement(
  draft: Draft,
  line: Extract<DraftLine, { type: 'copy' | 'export' | 'move' }>,
) {
  const { toolCallId, index, docPath, path, format, begin, from, fromPath, fromBase } = line
  const held = draft.files.get(from)
  const source = held ?? {
    docPath: from,
    path: fromPath,
    format,
    disk: fromBase,
    begin,
    log: NO_OPERATIONS,
    isDeleted: false,
  }
  const like = source.origin?.like ?? source.diskPath ?? source.path
  const origin = { how: line.type, from, fromPath, like, toolCallId, index }
  if (docPath === from) {
    draft.files.set(docPath, respelled(source, origin, path))
    return
  }
  const gone = draft.files.get(docPath)
  const place = { docPath, path, disk: gone?.disk ?? null, ...(gone && { under: gone }) }
  if (line.type !== 'move') {
    const copied = { ...place, format, begin, origin, log: NO_OPERATIONS, isDeleted: false }
    draft.files.set(docPath, { ...copied, takes: madeBy(source) })
    return
  }
  draft.files.set(from, goneFrom(source))
  if (!isMadeHere(source)) {
    const { docPath: _, path: __, disk: ___, ...moved } = source
    draft.files.set(docPath, { ...moved, ...place, origin: { ...origin, source } })
    return
  }
  // content that the draft itself put there moves on: moved twice is moved once, and moved back is not moved at all
  const { under: _, diskPath: __, ...moved } = source
  const first = source.origin
  if (first?.source && first.from === docPath)
    draft.files.set(docPath, withEditsOf(source, first.source))
  else draft.files.set(docPath, { ...moved, ...place })
}

/** Same key, another spelling: the file stays the same, and gets its new name when it is published. */
function respelled(source: DraftFile, origin: FileOrigin, path: RelativePath): DraftFile {
  const { diskPath = source.path, ...rest } = source
  const isAsOnDisk = source.disk === null || path === diskPath
  const spelled: DraftFile = { ...rest, path, ...(!isAsOnDisk && { diskPath }) }
  if (!isMadeHere(source)) return { ...spelled, origin: { ...origin, source } }
  return isRespelled(source) && isAsOnDisk ? unspelled(source) : spelled
}

/** The draft changed only the spelling of the file's name. */
export function isRespelled({ origin, docPath }: DraftFile): boolean {
  return origin?.source?.docPath === docPath // a copy of a file may have taken its place
}

/** The same file under the name it has on disk. */
export function unspelled(file: DraftFile): DraftFile {
  return withEditsOf(file, file.origin!.source!)
}

/** A file's former place, with everything done to it since. */
function withEditsOf(edited: DraftFile, place: DraftFile): DraftFile {
  const { log, changeCount, allowProtected, allowBreakSignature } = edited
  return { ...place, log, changeCount, allowProtected, allowBreakSignature }
}

/** Whether there is anything to decide: a moved file shows where it went, one that came and went does not show. */
export function isAtIssue({ isDeleted, deletion, disk }: DraftFile): boolean {
  return !isDeleted || (deletion !== undefined && disk !== null)
}

/** Nothing of it lies on disk under its own name. */
export function isMadeHere(file: DraftFile): boolean {
  return file.disk === null || file.origin !== undefined || file.under !== undefined
}

/**
 * The remains of a file's former place: the file it had replaced, else nothing, though the disk may hold it until
 * publish.
 */
function goneFrom({ docPath, diskPath, path, format, disk, under }: DraftFile): DraftFile {
  const name = { docPath, path: diskPath ?? path }
  return under ?? { ...name, format, disk, begin: null, log: NO_OPERATIONS, isDeleted: true }
}

/** The operations that have made its content. */
export function madeBy({ origin, takes, log }: DraftFile): OperationRef[] {
  const operations = [...(takes ?? []), ...(origin ? [origin] : []), ...log]
  return operations.map(({ toolCallId, index }) => ({ toolCallId, index }))
}

function addDeletion(draft: Draft, line: Extract<DraftLine, { type: 'delete' }>) {
  const held = draft.files.get(line.docPath)
  if (!held || !isMadeHere(held)) {
    const { docPath, path } = line
    const file = { docPath, path, format: LINE_TEXT, disk: line.base } // compared by lines where it has some
    draft.files.set(docPath, held ? deletedWithEdits(held, line) : deleted(file, line))
    return
  }
  draft.files.set(line.docPath, goneFrom(held))
  const source = held.origin?.source
  if (!source) return
  // a file that was moved here and is now deleted is deleted at its origin, below any file that has since come there
  const there = draft.files.get(source.docPath)
  const gone = deletedWithEdits(withEditsOf(held, source), line)
  draft.files.set(source.docPath, there && !there.isDeleted ? { ...there, under: gone } : gone)
}

function deletedWithEdits(
  file: DraftFile,
  line: Extract<DraftLine, { type: 'delete' }>,
): DraftFile {
  const gone = deleted(file, line)
  if (file.log.length === 0) return gone
  return { ...gone, deletion: { ...line, edited: file } }
}

function deleted(
  { docPath, path, format, disk }: Pick<DraftFile, 'docPath' | 'path' | 'format' | 'disk'>,
  deletion: Extract<DraftLine, { type: 'delete' }>,
): DraftFile {
  return { docPath, path, format, disk, begin: null, log: NO_OPERATIONS, isDeleted: true, deletion }
}
