import type { FormatId, WeighedWork } from '@filewright/documents'
import { type LoggedOperation, sizeOf } from '@filewright/protocol'
import type { DocumentRef, Engine, EngineQuery, Extent } from './engine.ts'
import type { InProcessEngine } from './in-process-engine.ts'

export interface SplitEngineOptions {
  /** In this process: quick, and nothing stops a call that has begun. */
  readonly here: InProcessEngine
  /** In a process that can be killed. */
  readonly apart: Engine
  /** Whether work on this much of a format is quick. */
  readonly isLight: (format: FormatId, work: WeighedWork) => boolean
}

const LIGHT_COMPARISONS = 16 * 1024 * 1024 // of a plain search: characters sought times bytes searched
const READING: MoreWork = { share: 1 / 4 } // one pass, and few objects
const REVIEWING: MoreWork = { needsLog: true } // what each operation did
const MOST_KEYS = 10_000 // remembered as sent apart, so that little work is never announced there
const NO_LOG: readonly LoggedOperation[] = []

/**
 * Light work is done here, all else apart: whatever a file or a model can make expensive must not hold up the process that
 * everybody asks. A document that grows changes sides, and is rebuilt there from its base and its log.
 */
export function createSplitEngine({ here, apart, isLight }: SplitEngineOptions): Engine {
  const sentApart = new Set<string>()

  function sideOf(ref: DocumentRef, work: WeighedWork | undefined, isHard: boolean): Engine {
    if (work && !isHard && isLight(ref.format, work)) return here
    if (sentApart.size >= MOST_KEYS) sentApart.delete(sentApart.values().next().value!)
    sentApart.add(ref.key)
    return apart
  }

  /** Without a wait where the extent is at hand, so that calls keep their order. */
  function on<Value>(
    ref: DocumentRef,
    run: (engine: Engine) => Promise<Value>,
    { more = NO_LOG, share = 1, isHard = () => false, needsLog = false }: MoreWork = {},
  ): Promise<Value> {
    const weigh = ({ sizeBytes, log }: Extent): WeighedWork => {
      const isHeld = !needsLog && here.holds(ref.key, ref.state)
      return { sizeBytes: sizeBytes * share, log, more, isHeld }
    }
    const choose = (extent: Extent | undefined) =>
      sideOf(ref, extent && weigh(extent), extent !== undefined && isHard(extent))
    const extent = ref.extent?.()
    return extent instanceof Promise
      ? extent.then(known => run(choose(known)))
      : run(choose(extent))
  }

  const loose = (format: FormatId, sizeBytes: number, log = NO_LOG) =>
    isLight(format, { sizeBytes, log }) ? here : apart

  return {
    map: (ref, bounds) => on(ref, engine => engine.map(ref, bounds), READING),
    read: (ref, region, options, bounds) =>
      on(ref, engine => engine.read(ref, region, options, bounds), READING),
    search: (ref, query, bounds) =>
      on(ref, engine => engine.search(ref, query, bounds), {
        isHard: ({ sizeBytes }) => isHardSearch(query, sizeBytes),
      }),
    apply: (ref, log, next, options, bounds) =>
      on(ref, engine => engine.apply(ref, log, next, options, bounds), { more: log }),
    changes: (ref, bounds) => on(ref, engine => engine.changes(ref, bounds), REVIEWING),
    consequences: (ref, bounds) => on(ref, engine => engine.consequences(ref, bounds)),
    strayed: (ref, bounds) => on(ref, engine => engine.strayed(ref, bounds)),
    preview: (ref, bounds) => on(ref, engine => engine.preview(ref, bounds)),
    content: (ref, bounds) => on(ref, engine => engine.content(ref, bounds)),
    replay: (ref, refused, bounds) =>
      on(ref, engine => engine.replay(ref, refused, bounds), REVIEWING),
    rebase(format, request, bounds) {
      const { base, current, log } = request
      return loose(format, base.length + current.length, log).rebase(format, request, bounds)
    },
    diff(request, bounds) {
      const sizeBytes = (request.before?.length ?? 0) + (request.after?.length ?? 0)
      return loose(request.format, sizeBytes).diff(request, bounds)
    },
    create: (format, name, from, bounds) =>
      loose(format, from?.length ?? 0).create(format, name, from, bounds),
    task(request, bounds) {
      const sizeBytes = request.files.reduce((sum, file) => sum + sizeOf(file), 0)
      const engine = loose(request.format, sizeBytes, [asOperation(request.input)])
      return engine.task(request, bounds)
    },
    searchFiles: (...asked) => apart.searchFiles(...asked),
    query: (...asked) => apart.query(...asked),
    chunk: (...asked) => apart.chunk(...asked),
    forget(key) {
      here.forget(key)
      if (sentApart.delete(key)) apart.forget(key)
    },
    async close() {
      await here.close()
      await apart.close()
    },
  }
}

interface MoreWork {
  /** Operations that come on top. */
  readonly more?: readonly LoggedOperation[]
  /** Of the work that an edit of the same size is. */
  readonly share?: number
  readonly isHard?: (extent: Extent) => boolean
  /** An open document does not spare the work of its log. */
  readonly needsLog?: boolean
}

const NO_CIRCUMSTANCES = { time: '', author: '', seed: 0 }

/** What a task is given weighs as much as if it were an operation. */
function asOperation(input: object): LoggedOperation {
  const operation = { op: '', ...input }
  return { toolCallId: '', index: 0, operation, circumstances: NO_CIRCUMSTANCES }
}

/** An expression may take forever; a long text is compared at every place. */
function isHardSearch({ regex, text = '' }: EngineQuery, sizeBytes: number): boolean {
  return regex !== undefined || text.length * sizeBytes > LIGHT_COMPARISONS
}
