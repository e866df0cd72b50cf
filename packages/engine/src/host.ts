import {
  type Evaluator,
  type Format,
  type FormatId,
  isEditable,
  type OpenDocument,
  type ReadableDocument,
  type ReadableFormat,
  type Replayed,
  type SearchHits,
} from '@filewright/documents'
import {
  type ChangeId,
  type Content,
  contentLength,
  inline,
  ok,
  pieces,
  type Result,
} from '@filewright/protocol'
import type { EngineQuery } from './engine.ts'
import { cannotDo } from './failures.ts'
import { createEvaluator } from './formulas/evaluator.ts'
import type { LoadFormat } from './load-format.ts'
import {
  type DocumentRequest,
  type DocumentWork,
  type HostAnswer,
  type HostRequest,
  type LooseRequest,
  SEARCHED_FILES,
} from './messages.ts'
import { createFileSearch, toSearchQuery } from './search-files.ts'
import { createShelf, type DocumentShelf } from './shelf.ts'
import { atHand } from './streamed.ts'
import { thinChanges } from './thin-changes.ts'

/** Does the work, one request at a time; knows nothing of processes. */
export interface EngineHost {
  answer(request: HostRequest): Promise<HostAnswer>
  /** Whether the document is open in this state. */
  holds(key: string, state: string): boolean
}

export interface HostPlace {
  /** Answers leave its thread: inline bytes are copied, because they are moved. */
  readonly isApart: boolean
}

export function createEngineHost(load: LoadFormat, place: HostPlace): EngineHost {
  const shelf = createShelf()
  const loadFormat = computingFormats(load, createEvaluator())
  let searchFiles = createFileSearch(loadFormat)
  return {
    holds: (key, state) => shelf.holds(key, state),
    async answer(request) {
      try {
        if (request.type === 'document')
          return await answerDocument(request, { shelf, place, loadFormat })
        if (request.type === 'search-files')
          return { type: 'result', result: await searchFiles(request.files, request.query) }
        if (request.type === 'query') return await answerQuery(request, loadFormat)
        if (request.type === 'chunk') return await answerChunk(request, loadFormat)
        if (request.type !== 'forget') return await answerLoose(request, place, loadFormat)
        if (request.key === SEARCHED_FILES) searchFiles = createFileSearch(loadFormat)
        else shelf.remove(request.key)
        return { type: 'forgotten' }
      } catch (error) {
        // A throw may have left the document half changed: the next call rebuilds it.
        if (request.type === 'document') shelf.remove(request.key)
        return { type: 'result', result: toFailure(error, request), bug: toReport(error) }
      }
    },
  }
}

/** Formats whose files hold formulas compute them; the evaluator starts with the first one. */
function computingFormats(load: LoadFormat, evaluator: Evaluator): LoadFormat {
  const made = new Map<ReadableFormat, ReadableFormat>()
  return async id => {
    const code = await load(id)
    if (!code.computing) return code
    const known = made.get(code) ?? code.computing(evaluator)
    made.set(code, known)
    return known
  }
}

interface Means {
  readonly shelf: DocumentShelf
  readonly place: HostPlace
  readonly loadFormat: LoadFormat
}

async function answerDocument(request: DocumentRequest, means: Means): Promise<HostAnswer> {
  const { key, state, format, name, work, source } = request
  const { shelf, place, loadFormat } = means
  const advance = (next: string) => shelf.advance(key, next)
  const held = shelf.take(key, state)
  const answer = held && workOn(held, work, { place, advance })
  if (answer) return answer
  const code = await loadFormat(format) // before the bytes are asked for: its start is not the file's doing
  if (!source) return { type: 'not-held' }
  const { log, options } = source
  const bytes = atHand(source.bytes)
  if (work.type === 'replay' && work.refused.size > 0)
    return toReplayed(
      editable(code, format).replay(bytes, log, work.refused, name, options?.inputs),
      bytes,
      place,
    )
  const opened = code.open(bytes, name)
  if (!opened.ok) return { type: 'result', result: opened }
  const document = opened.value
  if (log.length > 0) {
    const rebuilt = editableDocument(document).apply(log, { ...options, replays: true })
    if (!rebuilt.ok) return { type: 'result', result: rebuilt }
  }
  shelf.put(key, { state, document, bytes })
  return workOn({ document, bytes }, work, { place, advance })!
}

/** Nobody asks a read-only format to write: its facts say that it cannot. */
function editable(code: ReadableFormat, format: FormatId): Format {
  if (!isEditable(code)) throw new Error(`The format ${format} is read-only`)
  return code
}

function editableDocument(document: ReadableDocument): OpenDocument {
  if (!('apply' in document)) throw new Error('The document is of a read-only format')
  return document as OpenDocument
}

interface Opened {
  readonly document: ReadableDocument
  /** What it was opened with. */
  readonly bytes: Uint8Array
}

interface WorkPlace {
  readonly place: HostPlace
  readonly advance: (next: string) => void
}

/** Undefined where the document as it is held cannot answer. */
function workOn(opened: Opened, work: DocumentWork, at: WorkPlace): HostAnswer | undefined {
  const { document, bytes } = opened
  switch (work.type) {
    case 'map':
      return { type: 'result', result: document.map() }
    case 'read':
      return { type: 'result', result: document.read(work.region, work.options) }
    case 'search':
      return { type: 'result', result: search(document, work.query) }
    default:
      return editWorkOn({ document: editableDocument(document), bytes }, work, at)
  }
}

type EditWork = Exclude<DocumentWork, { type: 'map' | 'read' | 'search' }>

function editWorkOn(
  { document, bytes }: Opened & { readonly document: OpenDocument },
  work: EditWork,
  { place, advance }: WorkPlace,
): HostAnswer | undefined {
  switch (work.type) {
    case 'changes':
      return document.isAbridged ? undefined : { type: 'result', result: ok(document.changes()) }
    case 'consequences':
      return { type: 'result', result: ok(document.consequences?.() ?? []) }
    case 'strayed':
      return { type: 'result', result: ok(document.strayed?.() ?? []) }
    case 'apply': {
      const applied = document.apply(work.log, work.options)
      if (!applied.ok) return { type: 'result', result: applied }
      advance(work.next)
      document.abridge?.()
      const { changes } = applied.value
      const told = place.isApart ? thinChanges(changes) : changes
      return { type: 'result', result: ok({ ...applied.value, changes: told }) }
    }
    case 'preview':
      return { type: 'result', result: ok(document.preview?.()) }
    case 'content': {
      const content = document.content()
      if (!content.ok) return { type: 'result', result: content }
      return { type: 'result', result: ok(toOwnBytes(content.value, bytes)), ownsBytes: true }
    }
    case 'replay': {
      const replayed = replayHeld(document, work.refused)
      return replayed && toReplayed(replayed, bytes, place)
    }
  }
}

type Stands = Pick<Replayed, 'content' | 'changes' | 'warnings' | 'lineMap'>

function replayHeld(
  document: OpenDocument,
  refused: ReadonlySet<ChangeId>,
): Result<Stands> | undefined {
  if (document.isAbridged) return undefined
  if (document.without) return ok(document.without(refused))
  if (refused.size > 0) return undefined
  const content = document.content()
  return content.ok ? ok({ content: content.value, changes: document.changes() }) : content
}

/** The changes stay here, where they may be hundreds of thousands. */
function toReplayed(replayed: Result<Stands>, base: Uint8Array, place: HostPlace): HostAnswer {
  if (!replayed.ok) return { type: 'result', result: replayed }
  const { changes, content, warnings, lineMap } = replayed.value
  return toAnswer(ok({ content, warnings, lineMap, changeCount: changes.length }), base, place)
}

async function answerChunk(
  { file }: Extract<LooseRequest, { type: 'chunk' }>,
  loadFormat: LoadFormat,
): Promise<HostAnswer> {
  const { chunkFile } = await import('./chunk/chunk-file.ts')
  return { type: 'result', result: await chunkFile(file, loadFormat) }
}

/** SQLite is loaded with the first query. */
async function answerQuery(
  { files, sql, options }: Extract<LooseRequest, { type: 'query' }>,
  loadFormat: LoadFormat,
): Promise<HostAnswer> {
  const { runQuery } = await import('./query/run-query.ts')
  return { type: 'result', result: await runQuery(files, sql, options, loadFormat) }
}

async function answerLoose(
  request: Exclude<LooseRequest, { type: 'forget' | 'search-files' | 'query' | 'chunk' }>,
  place: HostPlace,
  loadFormat: LoadFormat,
): Promise<HostAnswer> {
  const format = await loadFormat(request.format)
  switch (request.type) {
    case 'create': {
      const created = editable(format, request.format).create(request.name, request.from)
      // A format may keep its blank file: what leaves is a copy.
      const result = created.ok ? ok(created.value.slice()) : created
      return { type: 'result', result, ownsBytes: true }
    }
    case 'rebase': {
      const code = editable(format, request.format)
      if (!code.rebase) throw new Error(`The format ${request.format} has no rebase`)
      return toAnswer(code.rebase(request.request), request.request.current, place)
    }
    case 'task': {
      const task = format.tasks?.[request.task]
      if (!task) throw new Error(`The format ${request.format} has no task ${request.task}`)
      return { type: 'result', result: task(request.input, request.files.map(atHand)) }
    }
    case 'diff': {
      if (!format.diff) throw new Error(`The format ${request.format} has no diff`)
      return { type: 'result', result: format.diff(request.before, request.after, request.name) }
    }
  }
}

function toAnswer<Made extends { readonly content: Content }>(
  made: Result<Made>,
  base: Uint8Array,
  { isApart }: HostPlace,
): HostAnswer {
  if (!made.ok || !isApart) return { type: 'result', result: made }
  const content = toOwnContent(made.value.content, base)
  return { type: 'result', result: ok({ ...made.value, content }), ownsBytes: true }
}

function search(document: ReadableDocument, query: EngineQuery): Result<SearchHits> {
  const compiled = toSearchQuery(query)
  return compiled.ok ? document.search(compiled.value) : compiled
}

const MOST_SLICES = 64 // each inline one is a part of the message

/** Few slices stay slices: the caller has the base, and of a large file with one changed line little travels. */
function toOwnContent(content: Content, base: Uint8Array): Content {
  if (content.length > MOST_SLICES) return inline(toOwnBytes(content, base))
  return content.map(slice =>
    slice.from === 'base' ? slice : { from: 'inline', bytes: toOwnBytes([slice], base) },
  )
}

/** Always a copy: what leaves the host may be moved to another thread, and the document keeps its own. */
function toOwnBytes(content: Content, base: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(contentLength(content))
  let at = 0
  for (const piece of pieces(content, base)) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}

/** What the engines say when an allocation or the stack gives out before the process does. */
const TOO_MUCH = /allocation failed|Invalid (string|array|typed array) length|call stack/i

function toFailure(error: unknown, request: HostRequest): Result<never> {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof RangeError && TOO_MUCH.test(message))
    return cannotDo(request, 'TOO_LARGE', 'it needs more memory than is available')
  return cannotDo(request, 'INTERNAL_ERROR', 'a fault in Filewright stopped the work')
}

function toReport(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
