import { editedAs, findFormat, formatByName } from '@filewright/documents'
import {
  type DocPath,
  fail,
  ok,
  parseRelativePath,
  type RelativePath,
  type Result,
  type Sha256,
  toDocPath,
} from '@filewright/protocol'
import type { Arranged, ArrangeStep, DrawFailure, FileFailure } from '@filewright/tools'
import { type DraftFile, isMadeHere } from '../draft/draft.ts'
import { draftedBytes, viewFile } from '../draft/draft-view.ts'
import { findClash } from '../draft/find-clash.ts'
import { findTwin } from '../draft/find-twin.ts'
import { type Recognised, recognise } from '../draft/recognise.ts'
import { refuseKeyFile } from '../draft/refuse-key-file.ts'
import { wholeIdOf } from '../review/whole-change.ts'
import { sha256Of } from '../workspace/tree/hash-content.ts'
import type { DraftWork } from './draft-work.ts'
import { DRAWN_KINDS, officePdf } from './draw-pages.ts'

type Failed = Result<never, FileFailure>
type DraftedPlace = Pick<DraftFile, 'docPath' | 'path'>

/** Copies, moves and deletes inside a draft, all or none. */
export async function arrangeAll(
  work: DraftWork,
  steps: readonly ArrangeStep[],
): Promise<Result<{ draftId: string; arranged: readonly Arranged[] }, DrawFailure>> {
  const { arrange } = createArranger(work)
  const arranged: Arranged[] = []
  for (const [index, step] of steps.entries()) {
    const done = await arrange(step, index)
    if (!done.ok) {
      const { code, message, kind, details } = done.failure
      return fail(
        code,
        `Nothing was written: operation ${index + 1} (${step.op}) failed. ${message}`,
        { kind, details },
      )
    }
    arranged.push(done.value)
  }
  return ok({ draftId: work.scratch.id, arranged })
}

function createArranger({ desk, lister, scratch, files, ids, time, record }: DraftWork) {
  return {
    arrange: (step: ArrangeStep, index: number): Promise<Result<Arranged, DrawFailure>> =>
      step.op === 'delete' ? remove(step, index) : relocate(step, index),
  }

  async function relocate(
    { op, path: to, from }: ArrangeStep,
    index: number,
  ): Promise<Result<Arranged, DrawFailure>> {
    const source = await contentOf(from ?? '')
    if (!source.ok) return source
    const unfit = op === 'export' ? refuseExport(source.value, to) : undefined
    if (unfit) return unfit
    const target = await findTarget(op, source.value, to)
    if (!target.ok) return target
    const { docPath, path } = target.value
    const barred =
      op === 'move'
        ? (refuseHalfPublished(source.value) ?? (await findLink(source.value)))
        : undefined
    if (barred) return barred
    const left = op === 'move' ? refuseKeyFile(desk, source.value) : undefined
    const closed = left ?? refuseKeyFile(desk, target.value)
    if (closed) return closed
    const pages = op === 'export' ? await officePdf(desk, source.value) : undefined
    if (pages && !pages.ok) return pages
    const begin = await desk.blobs.put(pages?.value.pages ?? source.value.bytes)
    const drafted = scratch.files.get(source.value.docPath)
    const fromBase = drafted ? drafted.disk : source.value.sha256
    record({
      type: op as 'copy' | 'export' | 'move',
      toolCallId: ids.toolCallId,
      index,
      docPath,
      path,
      from: source.value.docPath,
      fromPath: source.value.path,
      begin,
      fromBase,
      format: op === 'export' ? formatByName(docPath)!.id : source.value.format,
      time,
    })
    return ok({ op, path, docPath, message: `${VERBS[op]} ${source.value.path} to ${path}` })
  }

  /** A free name; for a move, also another spelling of the file's own name. */
  async function findTarget(
    op: ArrangeStep['op'],
    source: DraftedPlace,
    to: string,
  ): Promise<Result<DraftedPlace, FileFailure>> {
    const target = await files.locate(to)
    if (!target.ok) return target
    if (target.value.exists && target.value.docPath === source.docPath)
      return op === 'move' ? respell(source, to) : ontoItself('copied', source.path)
    if (target.value.exists)
      return fail(
        'CONFLICT',
        `"${target.value.path}" already exists. Delete it first if you mean to replace it, or choose another name.`,
      )
    const left = op === 'move' ? source.docPath : undefined
    const clash = await findClash(desk, scratch, target.value.path, left)
    return clash ? fail('CONFLICT', clash) : target
  }

  /** The draft still decides on it as a new or moved file, but a part of it is on disk already. */
  function refuseHalfPublished({ docPath, path }: DraftedPlace): Failed | undefined {
    const drafted = scratch.files.get(docPath)
    const whole = drafted && isMadeHere(drafted) ? wholeIdOf(drafted) : undefined
    if (!whole || !scratch.published.has(whole)) return undefined
    return fail(
      'CONFLICT',
      `A part of "${path}" is published, and the rest of it is in the draft. Ask the person to publish or discard the rest; then move or delete the file.`,
    )
  }

  async function remove(
    { path: spelling }: ArrangeStep,
    index: number,
  ): Promise<Result<Arranged, FileFailure>> {
    const file = await contentOf(spelling)
    if (!file.ok) return file
    const { docPath, path, bytes } = file.value
    const refused =
      refuseHalfPublished(file.value) ??
      (await findLink(file.value)) ??
      refuseKeyFile(desk, file.value)
    if (refused) return refused
    const drafted = scratch.files.get(docPath)
    const base = drafted ? drafted.disk : file.value.sha256
    if (!drafted) await desk.blobs.put(bytes)
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

  /** A name that is only a link to a file cannot be removed: publishing would not know which of the two is meant. */
  async function findLink(file: {
    docPath: DocPath
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
        docPath: DocPath
        path: RelativePath
        bytes: Uint8Array
        sha256: Sha256
        format: string
        isPrivate: boolean
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
        isPrivate: false, // checked when it entered the draft
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
    const { docPath, bytes, sha256, isPrivate } = read.value
    return ok({
      docPath,
      path: read.value.path,
      bytes,
      isPrivate,
      sha256: sha256!,
      format: draftedAs(recognise(docPath, bytes)),
    })
  }

  /** A folder is not a file of the draft; its files are named so that they can be sent instead. */
  async function refuseFolder(folder: string): Promise<Failed> {
    const inside = await filesIn(folder)
    const more = inside.length > NAMED_FILES ? ' and more' : ''
    const named = inside.slice(0, NAMED_FILES).join(', ')
    return fail(
      'INVALID_ARGUMENT',
      `"${folder}" is a folder, but only files can be copied, moved or deleted. ${named ? `Name each file in it: ${named}${more}.` : 'It is empty, or its files are ignored; name an ignored file by its exact path.'}`,
      { details: { folder, files: inside.slice(0, NAMED_FILES + 1) } },
    )
  }

  /** As the draft has them, and as they are on disk now. */
  async function filesIn(folder: string): Promise<string[]> {
    const page = { limit: Number.MAX_SAFE_INTEGER, named: `${folder}/` }
    const listed = await lister.list(page, scratch)
    if (!listed.ok) return []
    const { files, drafted } = listed.value
    return files
      .filter(({ docPath }) => drafted.get(docPath) !== 'deleted')
      .map(({ path }) => path)
      .filter(path => path.startsWith(`${folder}/`))
  }
}

const NAMED_FILES = 20

const VERBS = { move: 'Moved', copy: 'Copied', export: 'Exported', delete: 'Deleted' } as const

/** Only pages are made, and only of what a program lays out on them. */
function refuseExport({ path, docPath, format }: DraftedPlace & { format: string }, to: string) {
  const isPages = formatByName(to.toLowerCase() as DocPath)?.drawing?.by === 'itself'
  if (!isPages)
    return fail(
      'INVALID_ARGUMENT',
      `"${to}" is no name for pages: an export writes a PDF. Use a name that ends in .pdf.`,
    )
  const drawing = findFormat(format)?.drawing
  if (drawing?.by === 'office' && formatByName(docPath)) return undefined
  const instead = drawing ? ' Send op copy instead: it is a PDF already.' : ''
  return fail(
    'UNREADABLE_FORMAT',
    `"${path}" cannot be exported: a PDF is made of ${DRAWN_KINDS} files.${instead}`,
  )
}

function draftedAs({ format }: Recognised): string {
  return format ? editedAs(format) : 'binary'
}

/** Same key, another spelling (CONTRACT §2): the file gets that name, within its folder. */
function respell({ docPath, path }: DraftedPlace, to: string): Result<DraftedPlace, FileFailure> {
  const parsed = parseRelativePath(to)
  if (!parsed.ok) return parsed
  const wanted = parsed.value
  const name = wanted.slice(wanted.lastIndexOf('/') + 1)
  const spelled = (path.slice(0, path.lastIndexOf('/') + 1) + name) as RelativePath
  if (spelled !== path) return ok({ docPath, path: spelled })
  if (wanted === path) return ontoItself('moved', path)
  return fail(
    'CONFLICT',
    `"${wanted}" is the same place as "${path}": only the spelling of a folder differs, and an existing folder keeps its name. Leave this to the person, who can rename the folder by hand.`,
  )
}

function ontoItself(done: string, path: string): Failed {
  return fail('CONFLICT', `"${path}" cannot be ${done} onto itself. Choose another name.`)
}
