import type { FormatId } from '@filewright/documents'
import {
  type CallIds,
  type Circumstances,
  type DocPath,
  type DraftLine,
  type FileEntry,
  fail,
  LIMITS,
  type LoggedOperation,
  type Operation,
  ok,
  parseRelativePath,
  type RelativePath,
  type Result,
  type Sha256,
  toDocPath,
  toVersion,
} from '@filewright/protocol'
import type {
  Arranged,
  ArrangeStep,
  ClientContext,
  DraftEdits,
  Edited,
  EditOptions,
  FileFailure,
  Files,
  ListedFile,
} from '@filewright/tools'
import type { FileLister } from '../file-lister.ts'
import { toldChanges } from '../review.ts'
import type { ReadFile } from '../workspace/workspace.ts'
import { addLine, type Draft, scratchOf } from './draft.ts'
import {
  type Desk,
  draftedBytes,
  draftedRef,
  engineFor,
  sha256Of,
  sizeUpDrafted,
  stateOf,
  unreadable,
  type ViewedFile,
  viewDrafted,
  viewFile,
} from './draft-view.ts'
import { findClash } from './find-clash.ts'
import { findTwin } from './find-twin.ts'
import { findForeignSelector, refuseForeignName } from './foreign.ts'
import { recognise } from './recognise.ts'

/** One call's work on a draft: nothing is kept until its lines are. */
export interface DraftCall {
  readonly context: ClientContext
  /** What the call did, in order. */
  readonly lines: readonly DraftLine[]
  /** The call failed: what the engine holds of it is forgotten. */
  abandon(): void
}

export interface DraftCallOptions {
  readonly desk: Desk
  readonly lister: FileLister
  /** The session's draft, or an empty one that is opened when the call writes. */
  readonly draft: Draft
  readonly ids: CallIds
  readonly circumstances: Circumstances
}

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
interface Entry {
  readonly line: Extract<DraftLine, { type: 'edit' }>
  readonly created: boolean
  /** Its bytes, where they were just read. */
  readonly begin?: Uint8Array
}

export function startDraftCall({
  desk,
  lister,
  draft,
  ids,
  circumstances,
}: DraftCallOptions): DraftCall {
  const scratch = scratchOf(draft)
  const lines: DraftLine[] = []
  const touched = new Set<string>()
  const { time } = circumstances

  function record(line: DraftLine) {
    lines.push(line)
    addLine(scratch, line)
  }

  const files: Files = {
    async list(page) {
      const listed = await lister.list({ ...page, folded: true }, scratch)
      if (!listed.ok) return listed as Failed
      const files = await Promise.all(listed.value.files.map(asDrafted))
      return ok({ ...listed.value, files })
    },
    async locate(spelling) {
      const path = parseRelativePath(spelling)
      if (!path.ok) return path
      const docPath = toDocPath(path.value)
      const drafted = scratch.files.get(docPath)
      if (drafted && !drafted.isDeleted) return ok({ docPath, path: drafted.path, exists: true })
      const found = await desk.workspace.locate(path.value)
      if (found.ok) return ok({ docPath, path: found.value.path, exists: !drafted })
      if (found.failure.code !== 'NOT_FOUND') return found as Failed
      const place = await desk.workspace.placeFor(path.value)
      return place.ok ? ok({ docPath, path: place.value, exists: false }) : place
    },
    facts: spelling => viewFile(desk, scratch, spelling),
    async onDisk(docPath) {
      const hashed = await desk.workspace.hash(docPath)
      if (hashed.ok) {
        const { path, sha256, sizeBytes } = hashed.value
        return ok({ path, sha256, sizeBytes })
      }
      if (hashed.failure.code !== 'NOT_FOUND') return hashed as Failed
      const folder = hashed.failure.details?.folder
      return folder === undefined
        ? ok(null)
        : fail(
            'InvalidPath',
            `"${folder}" is the name of a folder. Name a file in it, or choose another name.`,
            { details: { folder } },
          )
    },
    async map(spelling) {
      const file = await viewFile(desk, scratch, spelling)
      if (!file.ok) return file
      const map = await engineFor(desk, file.value.format).map(file.value.ref)
      return map.ok ? ok({ ...map.value, file: file.value }) : (map as Failed)
    },
    async read(spelling, region, { styles }) {
      const file = await viewFile(desk, scratch, spelling)
      if (!file.ok) return file
      const wrong = findForeignSelector(file.value, region)
      if (wrong) return wrong
      const options = {
        maxBytes: READ_BYTES,
        styles,
        ...(file.value.sha256 && { version: toVersion(file.value.sha256) }),
      }
      const reading = await engineFor(desk, file.value.format).read(file.value.ref, region, options)
      return reading.ok ? ok({ ...reading.value, file: file.value }) : (reading as Failed)
    },
    async search(spelling, { regex, ...query }) {
      const file = await viewFile(desk, scratch, spelling)
      if (!file.ok) return file
      const engine = regex ? desk.engines.hostile : engineFor(desk, file.value.format)
      const hits = await engine.search(file.value.ref, {
        ...query,
        ...(regex && { regex: { source: regex } }),
      })
      return hits as Result<typeof hits extends Result<infer V> ? V : never, FileFailure>
    },
  }

  const edits: DraftEdits = {
    async edit(spelling, format, operations, options) {
      const entry = await enter(spelling, format as FormatId, options)
      if (!entry.ok) return entry
      const { line, created, begin } = entry.value
      const held = scratch.files.get(line.docPath)
      const before = held && !held.isDeleted ? held : foldOne(scratch, line)
      const logged = toLogged(operations, countOperations(lines, line.docPath))
      touched.add(`${scratch.id}:${line.docPath}`)
      const engine = engineFor(desk, format as FormatId)
      const applied = await engine.apply(
        draftedRef(desk, scratch, before, begin),
        logged,
        stateOf(before, logged),
        {
          allowProtected: options.allowProtected ?? before.allowProtected,
          allowBreakSignature: options.allowBreakSignature ?? before.allowBreakSignature,
        },
      )
      if (!applied.ok) return applied as Failed
      const isRecorded = created || logged.length > 0
      if (isRecorded)
        record({ changeCount: applied.value.changes.length, ...line, operations: logged })
      const file = isRecorded
        ? await viewDrafted(desk, scratch, scratch.files.get(line.docPath)!)
        : await viewFile(desk, scratch, line.path)
      if (!file.ok) return file
      const { results, warnings } = applied.value
      const changes = created
        ? toldChanges(scratch.files.get(line.docPath)!, applied.value.changes)
        : applied.value.changes
      return ok({
        file: file.value,
        created,
        results,
        changes,
        warnings,
        draftId: scratch.id,
      } satisfies Edited)
    },

    async arrange(steps) {
      const arranged: Arranged[] = []
      for (const [index, step] of steps.entries()) {
        const done = step.op === 'delete' ? await remove(step, index) : await relocate(step, index)
        if (!done.ok)
          return fail(
            done.failure.code,
            `Nothing was written: operation ${index + 1} (${step.op}) failed. ${done.failure.message}`,
            {
              kind: done.failure.kind,
              details: done.failure.details,
            },
          )
        arranged.push(done.value)
      }
      return ok({ draftId: scratch.id, arranged })
    },
  }

  async function asDrafted(entry: FileEntry): Promise<ListedFile> {
    const file = scratch.files.get(entry.docPath as DocPath)
    if (!file || file.isDeleted) return entry
    const { sizeBytes, sha256 } = await sizeUpDrafted(desk, scratch, file)
    return { ...entry, sizeBytes, version: sha256 && toVersion(sha256) }
  }

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
      const begin = await desk.state.putBlob(copy.value)
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
      const hint = format === 'text' ? '' : ' Pass create_if_missing: true to make it.'
      return {
        ok: false,
        failure: { ...missing.failure, message: `${missing.failure.message}${hint}` },
      }
    }
    if (format === 'text') return ok({ line: { base: null, ...frame }, created: true })
    const blank = await engineFor(desk, format).create(format, { docPath, path })
    if (!blank.ok) return blank as Failed
    return ok({
      line: { ...frame, base: null, begin: await desk.state.putBlob(blank.value) },
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
    const base = await desk.state.putBlob(read.value.bytes)
    const linkTo = toDocPath(read.value.realPath)
    const line = { ...frame, ...(linkTo !== frame.docPath && { linkTo }), base }
    return ok({ line, created: false, begin: read.value.bytes })
  }

  async function relocate(
    { op, path: to, from }: ArrangeStep,
    index: number,
  ): Promise<Result<Arranged, FileFailure>> {
    const source = await contentOf(from ?? '')
    if (!source.ok) return source
    const target = await findTarget(op, source.value, to)
    if (!target.ok) return target
    const { docPath, path } = target.value
    const link = op === 'move' ? await findLink(source.value) : undefined
    if (link) return link
    const begin = await desk.state.putBlob(source.value.bytes)
    const drafted = scratch.files.get(source.value.docPath)
    const fromBase = drafted ? drafted.disk : source.value.sha256
    record({
      type: op as 'copy' | 'move',
      toolCallId: ids.toolCallId,
      index,
      docPath,
      path,
      from: source.value.docPath,
      fromPath: source.value.path,
      begin,
      fromBase,
      format: source.value.format,
      time,
    })
    const verb = op === 'move' ? 'Moved' : 'Copied'
    return ok({ op, path, docPath, message: `${verb} ${source.value.path} to ${path}` })
  }

  /** A free name; for a move also another spelling of the file's own. */
  async function findTarget(
    op: ArrangeStep['op'],
    source: Pick<Place, 'docPath' | 'path'>,
    to: string,
  ): Promise<Result<Pick<Place, 'docPath' | 'path'>, FileFailure>> {
    const target = await files.locate(to)
    if (!target.ok) return target
    if (target.value.exists && target.value.docPath === source.docPath)
      return op === 'move' ? respell(source, to) : ontoItself('copied', source.path)
    if (target.value.exists)
      return fail(
        'CONFLICT',
        `"${target.value.path}" exists already. Delete it first if you mean to replace it, or choose another name.`,
      )
    const left = op === 'move' ? source.docPath : undefined
    const clash = await findClash(desk, scratch, target.value.path, left)
    return clash ? fail('CONFLICT', clash) : target
  }

  async function remove(
    { path: spelling }: ArrangeStep,
    index: number,
  ): Promise<Result<Arranged, FileFailure>> {
    const file = await contentOf(spelling)
    if (!file.ok) return file
    const { docPath, path, bytes } = file.value
    const link = await findLink(file.value)
    if (link) return link
    const drafted = scratch.files.get(docPath)
    const base = drafted ? drafted.disk : file.value.sha256
    if (!drafted) await desk.state.putBlob(bytes)
    record({
      type: 'delete',
      toolCallId: ids.toolCallId,
      index,
      docPath,
      path,
      base,
      sizeBytes: bytes.length,
      time,
    })
    return ok({ op: 'delete', path, docPath, message: `Deleted ${path}` })
  }

  /** A name that only leads to a file cannot be taken away: publishing would not know which of the two is meant. */
  async function findLink(file: {
    docPath: ViewedFile['docPath']
    path: RelativePath
  }): Promise<Failed | undefined> {
    if (scratch.files.get(file.docPath)?.disk === null) return undefined
    const found = await desk.workspace.locate(file.path)
    if (!found.ok) return undefined
    if (found.value.realPath === found.value.path) return findTwin(scratch, found.value)
    return fail(
      'INVALID_ARGUMENT',
      `"${file.path}" is a link to "${found.value.realPath}". Name that file instead; a person can remove the link by hand.`,
    )
  }

  /** The bytes of any file, readable or not, as the draft has them. */
  async function contentOf(spelling: string): Promise<
    Result<
      {
        docPath: ViewedFile['docPath']
        path: RelativePath
        bytes: Uint8Array
        sha256: Sha256
        format: string
      },
      FileFailure
    >
  > {
    const path = parseRelativePath(spelling)
    if (!path.ok) return path
    const drafted = scratch.files.get(toDocPath(path.value))
    if (drafted) {
      if (drafted.isDeleted) return (await viewFile(desk, scratch, path.value)) as Failed
      const bytes = await draftedBytes(desk, scratch, drafted)
      if (!bytes.ok) return bytes as Failed
      const { docPath, format } = drafted
      return ok({
        docPath,
        path: drafted.path,
        format,
        bytes: bytes.value,
        sha256: sha256Of(bytes.value),
      })
    }
    const read = await desk.workspace.read(path.value, {
      allowPrivate: desk.allowsReading(toDocPath(path.value)),
    })
    if (!read.ok) {
      if (read.failure.code !== 'NOT_FOUND') return read as Failed
      const folder = read.failure.details?.folder
      if (typeof folder === 'string') return refuseFolder(folder)
      return (await viewFile(desk, scratch, path.value)) as Failed
    }
    const { docPath, bytes, sha256 } = read.value
    return ok({
      docPath,
      path: read.value.path,
      bytes,
      sha256: sha256!,
      format: recognise(docPath, bytes).format ?? 'binary',
    })
  }

  /** Folders are no files of the draft; the ones in it are named, so that they can be sent instead. */
  async function refuseFolder(folder: string): Promise<Failed> {
    const listed = await lister.list({ after: `${folder}/`, limit: NAMED_FILES + 1 }, scratch)
    const inside = listed.ok
      ? listed.value.files.map(({ path }) => path).filter(path => path.startsWith(`${folder}/`))
      : []
    const more = inside.length > NAMED_FILES ? ' and more' : ''
    const named = inside.slice(0, NAMED_FILES).join(', ')
    return fail(
      'INVALID_ARGUMENT',
      `"${folder}" is a folder, and only files are copied, moved or deleted. ${named ? `Name each file in it: ${named}${more}.` : 'There is no file in it.'}`,
      { details: { folder, files: inside } },
    )
  }

  function toLogged(operations: readonly Operation[], first: number): LoggedOperation[] {
    return operations.map((operation, i) => ({
      toolCallId: ids.toolCallId,
      index: first + i,
      operation,
      circumstances,
    }))
  }

  return {
    context: { call: ids, files, draft: edits },
    lines,
    abandon() {
      for (const key of touched) {
        desk.engines.text.forget(key)
        desk.engines.hostile.forget(key)
      }
    },
  }
}

/** A page of a region is cut a little below the bound, so that its head and the hint to the next part fit. */
const READ_BYTES = LIMITS.resultBytes - 2048

const NAMED_FILES = 20

/** One key, written in other letters (CONTRACT §2): the file gets that name, in the folder it is in. */
function respell(
  { docPath, path }: Pick<Place, 'docPath' | 'path'>,
  to: string,
): Result<Pick<Place, 'docPath' | 'path'>, FileFailure> {
  const parsed = parseRelativePath(to)
  if (!parsed.ok) return parsed
  const wanted = parsed.value
  const name = wanted.slice(wanted.lastIndexOf('/') + 1)
  const spelled = (path.slice(0, path.lastIndexOf('/') + 1) + name) as RelativePath
  if (spelled !== path) return ok({ docPath, path: spelled })
  if (wanted === path) return ontoItself('moved', path)
  return fail(
    'CONFLICT',
    `"${wanted}" is where "${path}" is already: they differ in how a folder is written, and a folder that exists keeps its name. Leave this to the person, who can rename the folder by hand.`,
  )
}

function ontoItself(done: string, path: string): Failed {
  return fail('CONFLICT', `"${path}" cannot be ${done} onto itself. Choose another name.`)
}

/** A file's state just before its first operation. */
function foldOne(draft: Draft, line: Extract<DraftLine, { type: 'edit' }>) {
  const alone = scratchOf(draft)
  addLine(alone, line)
  return alone.files.get(line.docPath)!
}

function countOperations(lines: readonly DraftLine[], docPath: string): number {
  let count = 0
  for (const line of lines)
    if (line.type === 'edit' && line.docPath === docPath) count += line.operations.length
  return count
}
