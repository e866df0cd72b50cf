import { editedAs, type FormatId, factsOf } from '@filewright/documents'
import {
  type DocPath,
  type DraftLine,
  fail,
  ok,
  parseRelativePath,
  type RelativePath,
  type Result,
  toDocPath,
} from '@filewright/protocol'
import type { EditOptions, FileFailure } from '@filewright/tools'
import type { DraftFile } from '../draft/draft.ts'
import { engineFor, unreadable, viewFile } from '../draft/draft-view.ts'
import { findClash } from '../draft/find-clash.ts'
import { findTwin } from '../draft/find-twin.ts'
import { recognise } from '../draft/recognise.ts'
import { refuseKeyFile } from '../draft/refuse-key-file.ts'
import type { ReadFile } from '../workspace/tree/workspace.ts'
import type { DraftWork } from './draft-work.ts'
import { refuseForeignName } from './foreign.ts'

type Failed = Result<never, FileFailure>

/** The present or future place of a file. */
interface EntryPlace {
  readonly docPath: DocPath
  readonly path: RelativePath
  readonly exists: boolean
  /** Its bytes, if they were read on the way. */
  readonly base?: ReadFile
}

/** How a file enters the draft. */
export interface DraftEntry {
  readonly line: Extract<DraftLine, { type: 'edit' }>
  readonly created: boolean
  /** Its bytes, if they were just read. */
  readonly begin?: Uint8Array
}

type EntryFrame = Omit<DraftEntry['line'], 'base'>

/** Brings files into a draft and pins the content they start from. */
export function createEntrance({ desk, scratch, files, ids, time }: DraftWork) {
  return { enter }

  /** The line with which a file enters the draft, its inputs pinned; it has no operations yet. */
  async function enter(
    spelling: string,
    format: FormatId,
    options: EditOptions,
  ): Promise<Result<DraftEntry, FileFailure>> {
    const place = await find(spelling, format, options)
    if (!place.ok) return place
    const { docPath, path, exists, base } = place.value
    const refused = refuseForeignName(path, docPath, format)
    if (refused) return refused
    const { copyFrom, createIfMissing } = options
    const isNew = !exists && (copyFrom !== undefined || createIfMissing)
    const clash = isNew ? await findClash(desk, scratch, path) : undefined
    if (clash) return fail('CONFLICT', `Nothing was written: ${clash}`)
    const closed = exists ? undefined : refuseKeyFile(desk, { docPath, path })
    if (closed) return closed
    const frame = toFrame(place.value, format, options)
    if (copyFrom !== undefined)
      return exists ? refuseCopy(path, copyFrom) : enterAsCopy(frame, format, copyFrom)
    const drafted = scratch.files.get(docPath)
    if (drafted && !drafted.isDeleted) return enterAgain(frame, drafted)
    if (exists) return enterFromDisk(frame, format, base)
    return createIfMissing ? enterBlank(frame, format) : refuseMissing(path, format)
  }

  function toFrame(
    { docPath, path }: EntryPlace,
    format: FormatId,
    options: EditOptions,
  ): EntryFrame {
    const { allowProtected, allowBreakSignature } = options
    return {
      type: 'edit',
      toolCallId: ids.toolCallId,
      docPath,
      path,
      format,
      operations: [],
      time,
      ...(allowProtected && { allowProtected }),
      ...(allowBreakSignature && { allowBreakSignature }),
    }
  }

  async function enterAsCopy(
    frame: EntryFrame,
    format: FormatId,
    copyFrom: string,
  ): Promise<Result<DraftEntry, FileFailure>> {
    const { docPath, path } = frame
    const source = await viewFile(desk, scratch, copyFrom)
    if (!source.ok) return source
    if (source.value.format !== format)
      return fail(
        'INVALID_ARGUMENT',
        `Nothing was written: "${source.value.path}" is not a ${format} file, so "${path}" cannot start as a copy of it.`,
      )
    const engine = engineFor(desk, format)
    const bytes = await engine.content(source.value.ref)
    if (!bytes.ok) return bytes as Failed
    const copy = await engine.create(format, { docPath, path }, bytes.value)
    if (!copy.ok) return copy as Failed
    const begin = await desk.blobs.put(copy.value)
    const line = { ...frame, base: null, begin, from: source.value.docPath }
    return ok({ line, created: true })
  }

  async function enterBlank(
    frame: EntryFrame,
    format: FormatId,
  ): Promise<Result<DraftEntry, FileFailure>> {
    const { docPath, path } = frame
    const blank = await engineFor(desk, format).create(format, { docPath, path })
    if (!blank.ok) return blank as Failed
    if (blank.value.length === 0) return ok({ line: { base: null, ...frame }, created: true })
    const begin = await desk.blobs.put(blank.value)
    return ok({ line: { ...frame, base: null, begin }, created: true })
  }

  async function refuseMissing(path: RelativePath, format: FormatId): Promise<Failed> {
    const missing = await viewFile(desk, scratch, path)
    if (missing.ok) return fail('NOT_FOUND', `There is no file "${path}".`)
    const takesOperations = factsOf(format).editing?.operations !== undefined
    const hint = takesOperations ? ' Pass create_if_missing: true to create it.' : ''
    const message = `${missing.failure.message}${hint}`
    return { ok: false, failure: { ...missing.failure, message } }
  }

  /** The present or future place of a file; with its bytes when they are read next: one walk instead of two. */
  async function find(
    spelling: string,
    format: FormatId,
    { copyFrom }: EditOptions,
  ): Promise<Result<EntryPlace, FileFailure>> {
    const path = parseRelativePath(spelling)
    if (!path.ok) return path
    const docPath = toDocPath(path.value)
    const isForDisk =
      copyFrom === undefined &&
      !scratch.files.has(docPath) &&
      !refuseForeignName(path.value, docPath, format)
    const base = isForDisk ? await readBase(docPath) : undefined
    if (!base?.ok) return files.locate(spelling)
    return ok({ docPath, path: base.value.path, exists: true, base: base.value })
  }

  function readBase(docPath: DocPath) {
    return desk.workspace.read(docPath, { allowPrivate: desk.allowsReading(docPath) })
  }

  async function enterFromDisk(
    frame: EntryFrame,
    format: FormatId,
    found: ReadFile | undefined,
  ): Promise<Result<DraftEntry, FileFailure>> {
    const read = found ? ok(found) : await readBase(frame.docPath)
    if (!read.ok) return read as Failed
    const refused = refuseKeyFile(desk, read.value) ?? findTwin(scratch, read.value)
    if (refused) return refused
    const recognised = recognise(frame.docPath, read.value.bytes)
    if (!recognised.format) return unreadable(frame.path, recognised)
    if (editedAs(recognised.format) !== format)
      return fail(
        'READ_ONLY_FORMAT',
        `Nothing was written: "${frame.path}" is ${recognised.label}, not a ${format} file. Use the tool of its format.`,
      )
    const base = await desk.blobs.put(read.value.bytes)
    const linkTo = toDocPath(read.value.realPath)
    const line = { ...frame, ...(linkTo !== frame.docPath && { linkTo }), base }
    return ok({ line, created: false, begin: read.value.bytes })
  }
}

/** The draft already has it, and continues with that. */
function enterAgain(
  frame: EntryFrame,
  { path, format, disk }: DraftFile,
): Result<DraftEntry, FileFailure> {
  if (format === frame.format) return ok({ line: { base: disk, ...frame }, created: false })
  return fail(
    'READ_ONLY_FORMAT',
    `Nothing was written: "${path}" is a ${format} file; use the tool of that format.`,
  )
}

function refuseCopy(path: RelativePath, copyFrom: string): Failed {
  return fail(
    'CONFLICT',
    `Nothing was written: "${path}" exists, so it cannot start as a copy of "${copyFrom}". Omit copy_from to edit it, or choose another path.`,
  )
}
