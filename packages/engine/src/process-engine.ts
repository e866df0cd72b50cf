import { findFormat } from '@filewright/documents'
import { LIMITS } from '@filewright/protocol'
import type { Cause, ExchangeOutcome } from './child.ts'
import type { Bounds, Engine } from './engine.ts'
import { engineOn } from './engine-on.ts'
import { cancelled, cannotDo, changedMeanwhile, closed, noProcess } from './failures.ts'
import type { HostAnswer, HostRequest } from './messages.ts'
import { createPool, type ExchangeBounds, type PoolOutcome } from './pool.ts'

export interface ProcessEngineOptions {
  /** Starts a child: a program and its arguments, whose entry calls `runEngineHost`. */
  readonly command: readonly string[]
  /** Of one call, unless it brings its own. Default: LIMITS.toolTimeoutMs. */
  readonly timeoutMs?: number
  /** Of one child, resident, sampled. Default: LIMITS.engineBytes. */
  readonly memoryBytes?: number
  /** Of all children together. Default: LIMITS.enginePoolBytes. */
  readonly poolBytes?: number
  /** How many children at most. Default: LIMITS.engineProcesses. */
  readonly processes?: number
  /** Each child's process id, for those who measure it. */
  readonly onStart?: (pid: number) => void
  /** For the log: what a format threw, why a child ended. The caller already has its failure. */
  readonly onTrouble?: (trouble: Trouble) => void
}

export interface Trouble {
  readonly cause: Cause | 'throw'
  readonly detail: string
}

/** The work in children that are started when they are first needed, kept warm, and replaced when they go wrong. */
export function createProcessEngine(options: ProcessEngineOptions): Engine {
  const { timeoutMs = LIMITS.toolTimeoutMs, memoryBytes = LIMITS.engineBytes } = options
  const poolBytes = Math.max(options.poolBytes ?? LIMITS.enginePoolBytes, memoryBytes)
  const common = {
    command: options.command,
    busyMs: LIMITS.engineBusyMs,
    onStart: options.onStart,
    onOutcome: report,
  }
  const processes = options.processes ?? LIMITS.engineProcesses
  const pool = createPool({ ...common, processes, memoryBytes, poolBytes })
  // A query may take less than other work, so its process is its own; it starts with the first query.
  const queryBytes = Math.min(memoryBytes, LIMITS.queryBytes)
  const queries = createPool({
    ...common,
    processes: 1,
    memoryBytes: queryBytes,
    poolBytes: queryBytes,
  })
  let isClosed = false

  async function ask(request: HostRequest, bounds: Bounds): Promise<HostAnswer> {
    const warmTimeoutMs = timeoutOf(request, bounds)
    // The first request on a document may have to start its child and the code of its format.
    const mayStart = request.type === 'document' && !request.source && !bounds.timeoutMs
    const limits = {
      timeoutMs: mayStart ? timeoutMs : warmTimeoutMs,
      warmTimeoutMs,
      signal: bounds.signal,
    }
    const own = request.type === 'query' ? queries : pool
    const first = await own.exchange(request, limits)
    const outcome = isOwnDoing(first)
      ? first
      : await own.exchange(request, { ...limits, ...secondTry(first, limits), inFreshChild: true })
    if (outcome.type === 'answer') return outcome.answer
    return { type: 'result', result: toFailure(outcome.cause, request, bounds) }
  }

  function timeoutOf(request: HostRequest, bounds: Bounds): number {
    if (bounds.timeoutMs) return bounds.timeoutMs
    if (request.type === 'query') return LIMITS.queryTimeoutMs
    return Math.min(timeoutMs, readingTimeoutOf(request))
  }

  function report(outcome: ExchangeOutcome): void {
    if (outcome.type === 'ended')
      options.onTrouble?.({ cause: outcome.cause, detail: outcome.detail })
    else if (outcome.answer.type === 'result' && outcome.answer.bug)
      options.onTrouble?.({ cause: 'throw', detail: outcome.answer.bug })
  }

  function toFailure(cause: Cause, request: HostRequest, bounds: Bounds) {
    switch (cause) {
      case 'time': {
        const seconds = timeoutOf(request, bounds) / 1000
        return cannotDo(request, 'TIMEOUT', `it took longer than ${seconds} s and was stopped`)
      }
      case 'memory': {
        const bound = request.type === 'query' ? queryBytes : memoryBytes
        const megabytes = Math.round(bound / 2 ** 20)
        return cannotDo(
          request,
          'TOO_LARGE',
          `it took more than ${megabytes} MB of memory and was stopped`,
        )
      }
      case 'pressure': {
        const megabytes = Math.round(poolBytes / 2 ** 20)
        return cannotDo(
          request,
          'TOO_LARGE',
          `it and the other work under way took more than ${megabytes} MB of memory together`,
        )
      }
      case 'cancelled':
        return isClosed ? closed() : cancelled()
      case 'unstarted':
        return noProcess(request)
      case 'changed':
        return changedMeanwhile(request)
      case 'crash':
      case 'outside':
        return cannotDo(request, 'INTERNAL_ERROR', 'the worker process ended')
    }
  }

  return engineOn({
    ask,
    forget: pool.forget,
    async close() {
      isClosed = true
      await Promise.all([pool.close(), queries.close()])
    },
  })
}

/** What the format allows for a map or a read. */
function readingTimeoutOf(request: HostRequest): number {
  if (request.type !== 'document') return Number.POSITIVE_INFINITY
  const isReading = request.work.type === 'map' || request.work.type === 'read'
  const allowed = isReading && findFormat(request.format)?.reading.timeoutMs
  return allowed || Number.POSITIVE_INFINITY
}

const SECOND_TRY_MS = 1_000 // a start, and most files

/** What took all memory may be a hostile file, which is not given its whole time again. */
export function secondTry(
  first: Pick<PoolOutcome, 'workedMs'>,
  { timeoutMs }: Pick<ExchangeBounds, 'timeoutMs'>,
): Pick<ExchangeBounds, 'timeoutMs'> {
  return { timeoutMs: Math.max(Math.min(SECOND_TRY_MS, timeoutMs), timeoutMs - first.workedMs) }
}

/**
 * A child that another program killed, or that earlier calls had filled, says nothing about this request, which gets a
 * new child.
 */
function isOwnDoing(outcome: PoolOutcome): boolean {
  if (outcome.type === 'answer') return true
  if (outcome.cause === 'outside') return false
  return outcome.cause !== 'memory' || outcome.wasFresh
}
