import { type FormatId, factsOf } from '@filewright/documents'
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
import { engineFor, unreadable, viewFile } from '../draft/draft-view.ts'
import { findClash } from '../draft/find-clash.ts'
import { findTwin } from '../draft/find-twin.ts'
import { recognise } from '../draft/recognise.ts'
import type { ReadFile } from '../workspace/tree/workspace.ts'
import type { DraftWork } from './draft-work.ts'
import { refuseForeignName } from './foreign.ts'

type Failed = Result<never, FileFailure>

/** Where a file is, or would be. */
interface Place {
  readonly docPath: DocPath
  readonly path: RelativePath
  readonly exists: boolean
  /** Its bytes, where they were read on the way. */
  readonly base?: ReadFile
}

/** How a file enters the draft. */
export interface Entry {
  readonly line: Extract<DraftLine, { type: 'edit' }>
  readonly created: boolean
  /** Its bytes, where they were just read. */
  readonly begin?: Uint8Array
}

/** How files enter a draft: what they begin with is pinned. */
export function createEntrance({ desk, scratch, files, ids, time }: DraftWork) {
  return { enter }

  /** The line with which a file enters the draft, its inputs pinned; its operations are still empty. */
  async function enter(
    spelling: string,
    format: FormatId,
    options: EditOptions,
  ): Promise<Result<Entry, FileFailure>> {
    const place = await find(spelling, format, options)
    if (!place.ok) return place
    const { docPath, path, exists, base } = place.value
    const refused = refuseForeignName(path, docPath, format)
    if (refused) return refused
    const frame = {
      type: 'edit' as const,
      toolCallId: ids.toolCallId,
      docPath,
      path,
      format,
      operations: [],
      time,
      ...(options.allowProtected && { allowProtected: true }),
      ...(options.allowBreakSignature && { allowBreakSignature: true }),
    }
    const drafted = scratch.files.get(docPath)
    const isNew = !exists && (options.copyFrom !== undefined || options.createIfMissing)
    const clash = isNew ? await findClash(desk, scratch, path) : undefined
    if (clash) return fail('CONFLICT', `Nothing was written: ${clash}`)
    if (options.copyFrom !== undefined) {
      if (exists)
        return fail(
          'CONFLICT',
          `Nothing was written: "${path}" exists, so it cannot begin as a copy of "${options.copyFrom}". Leave copy_from out to edit it, or choose another path.`,
        )
      const source = await viewFile(desk, scratch, options.copyFrom)
      if (!source.ok) return source
      if (source.value.format !== format)
        return fail(
          'INVALID_ARGUMENT',
          `Nothing was written: "${source.value.path}" is not a ${format} file, so "${path}" cannot begin as a copy of it.`,
        )
      const engine = engineFor(desk, format)
      const bytes = await engine.content(source.value.ref)
      if (!bytes.ok) return bytes as Failed
      const copy = await engine.create(format, { docPath, path }, bytes.value)
      if (!copy.ok) return copy as Failed
      const begin = await desk.blobs.put(copy.value)
      return ok({
        line: { ...frame, base: null, begin, from: source.value.docPath },
        created: true,
      })
    }
    if (drafted && !drafted.isDeleted) {
      if (drafted.format !== format)
        return fail(
          'READ_ONLY_FORMAT',
          `Nothing was written: "${path}" is a ${drafted.format} file; use the tool of that format.`,
        )
      return ok({ line: { base: drafted.disk, ...frame }, created: false })
    }
    if (exists) return enterFromDisk(frame, format, base)
    if (!options.createIfMissing) {
      const missing = await viewFile(desk, scratch, path)
      if (missing.ok) return fail('NOT_FOUND', `There is no file "${path}".`)
      const takesOperations = factsOf(format).editing?.operations !== undefined
      const hint = takesOperations ? ' Pass create_if_missing: true to make it.' : ''
      return {
        ok: false,
        failure: { ...missing.failure, message: `${missing.failure.message}${hint}` },
      }
    }
    const blank = await engineFor(desk, format).create(format, { docPath, path })
    if (!blank.ok) return blank as Failed
    if (blank.value.length === 0) return ok({ line: { base: null, ...frame }, created: true })
    return ok({
      line: { ...frame, base: null, begin: await desk.blobs.put(blank.value) },
      created: true,
    })
  }

  /** Where a file is, or would be; with its bytes where it would be read next: one walk instead of two. */
  async function find(
    spelling: string,
    format: FormatId,
    { copyFrom }: EditOptions,
  ): Promise<Result<Place, FileFailure>> {
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
    frame: Omit<Extract<DraftLine, { type: 'edit' }>, 'base'>,
    format: FormatId,
    found: ReadFile | undefined,
  ): Promise<Result<Entry, FileFailure>> {
    const read = found ? ok(found) : await readBase(frame.docPath)
    if (!read.ok) return read as Failed
    const twin = findTwin(scratch, read.value)
    if (twin) return twin
    const recognised = recognise(frame.docPath, read.value.bytes)
    if (!recognised.format) return unreadable(frame.path, recognised)
    if (recognised.format !== format)
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
