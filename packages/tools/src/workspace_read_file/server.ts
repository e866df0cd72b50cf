import type { ReadPart } from '@filewright/documents/text'
import {
  counted,
  type Failure,
  fail,
  LIMITS,
  ok,
  parseChunkPath,
  parseDocPath,
  type ServerHandler,
  sizeOf,
  toVersion,
} from '@filewright/protocol'
import type { ActiveFile, ServerContext, SourceFile } from '../server-context.ts'
import type { workspaceReadFile } from './tool.ts'

type ReadHandler = ServerHandler<typeof workspaceReadFile, ServerContext>
type Read = Extract<Awaited<ReturnType<ReadHandler>>, { ok: true }>['value']

export const workspaceReadFileServer: ReadHandler = async (
  { path, maxBytes, lineStart = 1, lineCount },
  { activeFiles, sources, texts },
) => {
  if (maxBytes !== undefined && maxBytes < 1)
    return fail(
      'INVALID_ARGUMENT',
      `maxBytes is ${maxBytes}; it must be at least 1. Leave it out to read as much as one answer holds.`,
    )
  const docPath = parseDocPath(path)
  if (!docPath.ok) return fail('INVALID_ARGUMENT', docPath.failure.message)
  const active = await activeFiles.find(docPath.value)
  if (active?.isInContext) return alreadyInContext(active)
  const source = await sources.read(docPath.value, { similar: true })
  if (!source.ok) return refuseRead(path, source)
  const file = await asInEditor(source.value, active, sources)
  const asked = { path: file.path, version: toVersion(file.sha256), lineStart, lineCount, maxBytes }
  const part = await texts.run('read', asked, [file])
  if (part.ok) return ok(toRead(file, part.value))
  return part.failure.code === 'UNREADABLE_FORMAT' ? binary(file) : part
}

function binary({ path, bytes }: SourceFile) {
  return fail(
    'INVALID_ARGUMENT',
    `Cannot read '${path}' as text: it is a binary file of ${counted(sizeOf(bytes), 'byte')}. read_file and get_file_info of the workshop toolset read office files.`,
    { kind: 'unsupported' },
  )
}

/** The unsaved text of an active file that was not sent to the model comes before what was saved (CONTRACT §2). */
async function asInEditor(
  saved: SourceFile,
  active: ActiveFile | undefined,
  sources: ServerContext['sources'],
): Promise<SourceFile> {
  const unsaved = active?.isDirty ? await sources.bytes(active.sha256) : undefined
  if (!active || !unsaved) return saved
  const warning = `"${saved.path}" has unsaved changes: this is its text in the editor, not on disk.`
  const warnings = [...saved.warnings, warning]
  return { ...saved, sha256: active.sha256, bytes: unsaved, warnings }
}

function alreadyInContext({ displayPath, docPath, sha256 }: ActiveFile) {
  const version = toVersion(sha256)
  return fail(
    'ALREADY_IN_CONTEXT',
    `File '${displayPath}' is active in this session, so its content is in your context already: use that (version ${version}).`,
    { kind: 'invalid', details: { path: displayPath, docPath, version } },
  )
}

/** Its `text` is made when it is asked for: a part is never spread. */
function toRead({ docPath, path, bytes, sha256, warnings }: SourceFile, part: ReadPart): Read {
  return {
    fields: {
      file: {
        path,
        docPath,
        sizeBytes: sizeOf(bytes),
        content: part.content,
        isTruncated: part.isTruncated,
        sha256,
        version: toVersion(sha256),
        lineCount: part.lineCount,
        lineStart: part.lineStart,
        ...(part.nextLineStart !== undefined && { nextLineStart: part.nextLineStart }),
        eol: part.eol,
        bom: part.bom,
        encoding: part.encoding,
      },
    },
    message: `Read ${path}`,
    get text() {
      return part.text
    },
    brief: part.brief ?? (characters => beginning(part, characters)),
    warnings:
      part.shownBytes < LIMITS.readBytes || part.cutAfterBytes === undefined
        ? warnings
        : [...warnings, longLine(part)],
  }
}

function longLine({ lineStart }: Pick<ReadPart, 'lineStart'>): string {
  return `Line ${lineStart} is longer than one read gives, so it is cut; read_file of the workshop toolset reads on within a line.`
}

/** Whole lines of the text, for the log. */
function beginning({ text, shownBytes }: ReadPart, characters: number): string {
  if (text.length <= characters) return text
  const end = Math.max(text.lastIndexOf('\n', characters), text.indexOf('\n') + 1)
  return `${text.slice(0, Math.min(end, 2 * characters))}\n… ${shownBytes} bytes in all; the caller has them`
}

/** A bad path has TUL-001's own code, whatever makes it bad: a link that leads out of the workspace, for instance. */
function refuseRead<Refused extends { readonly failure: Failure }>(
  path: string,
  refused: Refused,
): Refused | ReturnType<typeof fail<'INVALID_ARGUMENT' | 'NOT_FOUND'>> {
  const { code, message, details } = refused.failure
  if (code === 'InvalidPath')
    return fail('INVALID_ARGUMENT', message, { ...(details && { details }) })
  return pointToDocPath(path, refused)
}

/** Some models send the place of a snippet instead of its document: the answer then names the document. */
function pointToDocPath<Refused extends { readonly failure: Failure }>(
  path: string,
  refused: Refused,
): Refused | ReturnType<typeof fail<'NOT_FOUND'>> {
  const place = path.includes('#') ? parseChunkPath(path) : undefined
  if (refused.failure.code !== 'NOT_FOUND' || !place?.ok) return refused
  const { docPath, kind, name } = place.value
  return fail(
    'NOT_FOUND',
    `'${path}' is a chunkPath: it locates a snippet (${kind} ${name}), not a file. Send its docPath instead: "${docPath}".`,
    { details: { docPath } },
  )
}
