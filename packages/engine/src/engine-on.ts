import { fail, type Result } from '@filewright/protocol'
import type { Bounds, DocumentRef, Engine } from './engine.ts'
import type {
  DocumentRequest,
  DocumentWork,
  HostAnswer,
  HostRequest,
  LooseRequest,
} from './messages.ts'

/** The way to a host, in this process or in another. */
export interface HostLink {
  /** Never throws for what a file does: it also answers for a host that had to be stopped. */
  ask(request: HostRequest, bounds: Bounds): Promise<HostAnswer>
  /** Does nothing while there is no host. */
  forget(key: string): void
  close(): Promise<void>
}

/** The port over a link: calls on one key in their order, and a document's bytes fetched when they are missed. */
export function engineOn(link: HostLink): Engine {
  const lanes = new Map<string, Promise<unknown>>()

  /** Runs after whatever was asked of this key before. */
  function inLane<Value>(key: string, run: () => Promise<Value>): Promise<Value> {
    const running = (lanes.get(key) ?? Promise.resolve()).then(run)
    const settled = running.catch(() => {})
    lanes.set(key, settled)
    settled.then(() => {
      if (lanes.get(key) === settled) lanes.delete(key)
    })
    return running
  }

  async function askLoose(request: LooseRequest, bounds: Bounds = {}): Promise<Result<never>> {
    return toResult(await link.ask(request, bounds))
  }

  function askDocument(
    ref: DocumentRef,
    work: DocumentWork,
    bounds: Bounds = {},
  ): Promise<Result<never>> {
    return inLane(ref.key, async () => {
      const { key, state, format, name } = ref
      const request: DocumentRequest = { type: 'document', key, state, format, name, work }
      const answer = await link.ask(request, bounds)
      if (answer.type === 'result') return toResult(answer)
      const source = await ref.load()
      if (!source.ok) return source
      return toResult(await link.ask({ ...request, source: source.value }, bounds))
    })
  }

  return {
    map: (ref, bounds) => askDocument(ref, { type: 'map' }, bounds),
    read: (ref, region, options, bounds) =>
      askDocument(ref, { type: 'read', region, options }, bounds),
    search: (ref, query, bounds) => askDocument(ref, { type: 'search', query }, bounds),
    apply: (ref, log, next, options, bounds) =>
      askDocument(ref, { type: 'apply', log, next, options }, bounds),
    changes: (ref, bounds) => askDocument(ref, { type: 'changes' }, bounds),
    consequences: (ref, bounds) => askDocument(ref, { type: 'consequences' }, bounds),
    strayed: (ref, bounds) => askDocument(ref, { type: 'strayed' }, bounds),
    preview: (ref, bounds) => askDocument(ref, { type: 'preview' }, bounds),
    content: (ref, bounds) => askDocument(ref, { type: 'content' }, bounds),
    replay: (ref, refused, bounds) => askDocument(ref, { type: 'replay', refused }, bounds),
    rebase: (format, request, bounds) => askLoose({ type: 'rebase', format, request }, bounds),
    diff: (request, bounds) => askLoose({ type: 'diff', ...request }, bounds),
    create: (format, name, from, bounds) =>
      askLoose({ type: 'create', format, name, ...(from && { from }) }, bounds),
    searchFiles: (files, query, bounds) => askLoose({ type: 'search-files', files, query }, bounds),
    task: (request, bounds) => askLoose({ type: 'task', ...request }, bounds),
    query: (files, sql, options, bounds) =>
      askLoose({ type: 'query', files, sql, options }, bounds),
    chunk: (file, bounds) => askLoose({ type: 'chunk', file }, bounds),
    forget: key => void inLane(key, async () => link.forget(key)),
    close: () => link.close(),
  }
}

/** The host answers in the types of the port; the messages between do not carry them. */
function toResult(answer: HostAnswer): Result<never> {
  if (answer.type !== 'result')
    return fail('INTERNAL_ERROR', 'The engine did not keep the document it was given')
  return answer.result as Result<never>
}
