import type {
  Format,
  FormatId,
  OpenDocument,
  Replayed,
  SearchHits,
  SearchQuery,
} from '@filewright/documents'
import {
  type ChangeId,
  type Content,
  contentLength,
  fail,
  inline,
  ok,
  pieces,
  type Result,
} from '@filewright/protocol'
import type { EngineQuery, FileBytes } from './engine.ts'
import { cannotDo } from './failures.ts'
import type {
  DocumentRequest,
  DocumentWork,
  HostAnswer,
  HostRequest,
  LooseRequest,
} from './messages.ts'
import { createShelf, type DocumentShelf } from './shelf.ts'

export type LoadFormat = (id: FormatId) => Promise<Format>

/** Does the work, one request at a time; knows nothing of processes. */
export interface EngineHost {
  answer(request: HostRequest): Promise<HostAnswer>
}

export interface HostPlace {
  /** Answers leave its thread: content goes whole, in bytes of its own, instead of slices of what was sent. */
  readonly isApart: boolean
}

export function createEngineHost(loadFormat: LoadFormat, place: HostPlace): EngineHost {
  const shelf = createShelf()
  return {
    async answer(request) {
      try {
        if (request.type === 'document')
          return await answerDocument(request, { shelf, place, loadFormat })
        if (request.type !== 'forget') return await answerLoose(request, place, loadFormat)
        shelf.remove(request.key)
        return { type: 'result', result: ok(null) }
      } catch (error) {
        // A throw may have left the document half changed: the next call rebuilds it.
        if (request.type === 'document') shelf.remove(request.key)
        return { type: 'result', result: toFailure(error, request), bug: toReport(error) }
      }
    },
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
  if (!source) return { type: 'not-held' }
  const { bytes, log, options } = source
  const code = await loadFormat(format)
  if (work.type === 'replay' && work.refused.size > 0)
    return toReplayed(code.replay(bytes, log, work.refused, name), bytes, place)
  const opened = code.open(bytes, name)
  if (!opened.ok) return { type: 'result', result: opened }
  const document = opened.value
  if (log.length > 0) {
    const rebuilt = document.apply(log, options)
    if (!rebuilt.ok) return { type: 'result', result: rebuilt }
  }
  shelf.put(key, { state, document, bytes })
  return workOn({ document, bytes }, work, { place, advance })!
}

interface Opened {
  readonly document: OpenDocument
  /** What it was opened with. */
  readonly bytes: Uint8Array
}

/** Undefined where the document as it is held cannot answer. */
function workOn(
  { document, bytes }: Opened,
  work: DocumentWork,
  { place, advance }: { place: HostPlace; advance: (next: string) => void },
): HostAnswer | undefined {
  switch (work.type) {
    case 'map':
      return { type: 'result', result: document.map() }
    case 'read':
      return { type: 'result', result: document.read(work.region, work.options) }
    case 'search':
      return { type: 'result', result: search(document, work.query) }
    case 'changes':
      return document.isAbridged ? undefined : { type: 'result', result: ok(document.changes()) }
    case 'apply': {
      const applied = document.apply(work.log, work.options)
      if (applied.ok) {
        advance(work.next)
        document.abridge?.()
      }
      return { type: 'result', result: applied }
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

async function answerLoose(
  request: Exclude<LooseRequest, { type: 'forget' }>,
  place: HostPlace,
  loadFormat: LoadFormat,
): Promise<HostAnswer> {
  if (request.type === 'search-files')
    return { type: 'result', result: await searchFiles(request.files, request.query, loadFormat) }
  const format = await loadFormat(request.format)
  switch (request.type) {
    case 'create': {
      const created = format.create(request.name, request.from)
      // A format may keep its blank file: what leaves is a copy.
      const result = created.ok ? ok(created.value.slice()) : created
      return { type: 'result', result, ownsBytes: true }
    }
    case 'rebase': {
      if (!format.rebase) throw new Error(`The format ${request.format} has no rebase`)
      return toAnswer(format.rebase(request.request), request.request.current, place)
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
  const content = inline(toOwnBytes(made.value.content, base))
  return { type: 'result', result: ok({ ...made.value, content }), ownsBytes: true }
}

async function searchFiles(
  files: readonly FileBytes[],
  query: EngineQuery,
  loadFormat: LoadFormat,
): Promise<Result<readonly Result<SearchHits>[]>> {
  const compiled = compile(query)
  if (!compiled.ok) return compiled
  const results: Result<SearchHits>[] = []
  for (const { format, name, bytes } of files) {
    const opened = (await loadFormat(format)).open(bytes, name)
    results.push(opened.ok ? opened.value.search(compiled.value) : opened)
  }
  return ok(results)
}

function search(document: OpenDocument, query: EngineQuery): Result<SearchHits> {
  const compiled = compile(query)
  return compiled.ok ? document.search(compiled.value) : compiled
}

function compile(query: EngineQuery): Result<SearchQuery, 'INVALID_ARGUMENT'> {
  const { regex, ...rest } = query
  if (!regex) return ok(rest)
  try {
    return ok({ ...rest, regex: new RegExp(regex.source, regex.flags) })
  } catch (error) {
    return fail(
      'INVALID_ARGUMENT',
      `Cannot search: ${(error as Error).message}. Send a JavaScript regular expression, or plain text.`,
    )
  }
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
