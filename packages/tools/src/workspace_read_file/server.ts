import { numberedView, type TextDocument } from '@filewright/documents/text'
import {
  counted,
  type Failure,
  fail,
  ok,
  parseChunkPath,
  parseDocPath,
  type ServerHandler,
  toVersion,
} from '@filewright/protocol'
import type { ActiveFile, ServerContext, SourceFile } from '../server-context.ts'
import type { workspaceReadFile } from './tool.ts'

type ReadHandler = ServerHandler<typeof workspaceReadFile, ServerContext>
type Read = Extract<Awaited<ReturnType<ReadHandler>>, { ok: true }>['value']

export const workspaceReadFileServer: ReadHandler = async (
  { path, maxBytes, lineStart = 1, lineCount },
  { activeFiles, sources, textOf },
) => {
  if (maxBytes !== undefined && maxBytes < 1)
    return fail(
      'INVALID_ARGUMENT',
      `maxBytes is ${maxBytes}; it must be at least 1. Leave it out to read the whole file.`,
    )
  const docPath = parseDocPath(path)
  if (!docPath.ok) return fail('INVALID_ARGUMENT', docPath.failure.message)
  const active = await activeFiles.find(docPath.value)
  if (active?.isInContext) return alreadyInContext(active)
  const source = await sources.read(docPath.value, { similar: true })
  if (!source.ok) return pointToDocPath(path, source)
  const doc = textOf(source.value)
  if (!doc)
    return fail(
      'INVALID_ARGUMENT',
      `Cannot read '${source.value.path}' as text: it is a binary file of ${counted(source.value.bytes.length, 'byte')}. read_file and get_file_info of the workshop toolset read office files.`,
      { kind: 'unsupported' },
    )
  if (lineStart > Math.max(1, doc.lineCount))
    return fail(
      'NO_SUCH_REGION',
      `'${source.value.path}' has ${counted(doc.lineCount, 'line')}; line ${lineStart} is beyond its end.`,
      { details: { lineCount: doc.lineCount } },
    )
  return ok(toRead(source.value, doc, { lineStart, lineCount, maxBytes }))
}

function alreadyInContext({ displayPath, docPath, sha256 }: ActiveFile) {
  const version = toVersion(sha256)
  return fail(
    'ALREADY_IN_CONTEXT',
    `File '${displayPath}' is active in this session, so its content is in your context already: use that (version ${version}).`,
    { kind: 'invalid', details: { path: displayPath, docPath, version } },
  )
}

interface AskedLines {
  readonly lineStart: number
  readonly lineCount?: number
  readonly maxBytes?: number
}

function toRead(
  { docPath, path, bytes, sha256, warnings }: SourceFile,
  doc: TextDocument,
  { lineStart, lineCount, maxBytes }: AskedLines,
): Read {
  const slice = doc.slice(lineStart, lineCount, maxBytes)
  const version = toVersion(sha256)
  const bound = maxBytes === undefined ? undefined : maxBytes + slice.lineCount * 8
  const asked = { path, version, lineStart, lineCount: slice.lineCount }
  const { lineCount: allLines, eol, bom, encoding } = doc
  return {
    fields: {
      file: {
        path,
        docPath,
        sizeBytes: bytes.length,
        content: slice.content,
        isTruncated:
          slice.isTruncated || slice.sizeBytes < bytes.length - (bom ? doc.bomLength : 0),
        sha256,
        version,
        lineCount: allLines,
        lineStart,
        eol,
        bom,
        encoding,
      },
    },
    message: `Read ${path}`,
    get text() {
      return numberedView(doc, { ...asked, maxBytes: bound }).text
    },
    brief(characters) {
      const most = Math.min(bound ?? characters, characters)
      return briefly(doc, `${lineStart} ${slice.sizeBytes} ${most} ${path}`, () => {
        const brief = { ...asked, maxBytes: most, tellsAll: true }
        const { text, lineCount: lines } = numberedView(doc, brief)
        const isAll = lines === slice.lineCount
        return isAll ? text : `${text}\n… ${slice.sizeBytes} bytes in all; the caller has them`
      })
    },
    warnings,
  }
}

const briefs = new WeakMap<TextDocument, { readonly key: string; readonly text: string }>()

/** Text that is read again is described as before. */
function briefly(doc: TextDocument, key: string, describe: () => string): string {
  const known = briefs.get(doc)
  if (known?.key === key) return known.text
  const text = describe()
  briefs.set(doc, { key, text })
  return text
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
