import { LIMITS } from '@filewright/protocol'
import { type Cause, type Child, type ExchangeOutcome, startChild } from './child.ts'
import type { Bounds, Engine } from './engine.ts'
import { engineOn } from './engine-on.ts'
import { cancelled, cannotDo, closed, noProcess } from './failures.ts'
import type { HostAnswer, HostRequest } from './messages.ts'

export interface ProcessEngineOptions {
  /** Starts the child: a program and its arguments, whose entry calls `runEngineHost`. */
  readonly command: readonly string[]
  /** Of one call, unless it brings its own. Default: LIMITS.toolTimeoutMs. */
  readonly timeoutMs?: number
  /** Resident, sampled. Default: LIMITS.engineBytes. */
  readonly memoryBytes?: number
  /** Each child's process id, for those who measure it. */
  readonly onStart?: (pid: number) => void
  /** For the log: what a format threw, why a child ended. The caller already has its failure. */
  readonly onTrouble?: (trouble: Trouble) => void
}

export interface Trouble {
  readonly cause: Cause | 'throw'
  readonly detail: string
}

/** The work in a child that is started when it is first needed, kept warm, and replaced when it goes wrong. */
export function createProcessEngine(options: ProcessEngineOptions): Engine {
  const { command, timeoutMs = LIMITS.toolTimeoutMs, memoryBytes = LIMITS.engineBytes } = options
  let child: Child | undefined
  let isClosed = false
  let turn: Promise<unknown> = Promise.resolve()

  /** The child has one core's worth of work at a time, so its requests take turns. */
  function inTurn<Value>(run: () => Promise<Value>): Promise<Value> {
    const running = turn.then(run)
    turn = running.catch(() => {})
    return running
  }

  async function ask(request: HostRequest, bounds: Bounds): Promise<HostAnswer> {
    const first = await exchange(request, bounds)
    const outcome = isOwnDoing(first) ? first : await exchange(request, bounds)
    if (outcome.type === 'answer') return outcome.answer
    return { type: 'result', result: toFailure(outcome.cause, request, bounds) }
  }

  async function exchange(
    request: HostRequest,
    bounds: Bounds,
  ): Promise<ExchangeOutcome & { wasFresh: boolean }> {
    if (isClosed || bounds.signal?.aborted)
      return { type: 'ended', cause: 'cancelled', detail: '', wasFresh: true }
    if (!child?.isAlive) {
      child = startChild(command, memoryBytes)
      if (child.pid !== undefined) options.onStart?.(child.pid)
    }
    const wasFresh = child.served === 0
    const { signal } = bounds
    const outcome = await child.exchange(request, {
      timeoutMs: bounds.timeoutMs ?? timeoutMs,
      signal,
    })
    report(outcome)
    return { ...outcome, wasFresh }
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
        const seconds = (bounds.timeoutMs ?? timeoutMs) / 1000
        return cannotDo(request, 'TIMEOUT', `it took longer than ${seconds} s and was stopped`)
      }
      case 'memory': {
        const megabytes = Math.round(memoryBytes / 2 ** 20)
        return cannotDo(
          request,
          'TOO_LARGE',
          `it took more than ${megabytes} MB of memory and was stopped`,
        )
      }
      case 'cancelled':
        return isClosed ? closed() : cancelled()
      case 'unstarted':
        return noProcess(request)
      case 'crash':
      case 'outside':
        return cannotDo(request, 'INTERNAL_ERROR', 'the worker process ended')
    }
  }

  return engineOn({
    ask: (request, bounds) => inTurn(() => ask(request, bounds)),
    forget: key =>
      void inTurn(async () => {
        if (child?.isAlive) await child.exchange({ type: 'forget', key }, { timeoutMs })
      }),
    async close() {
      isClosed = true
      await child?.kill()
    },
  })
}

/**
 * A child that another program killed, or that earlier calls had filled, says nothing about this request, which gets a
 * new child.
 */
function isOwnDoing(outcome: ExchangeOutcome & { wasFresh: boolean }): boolean {
  if (outcome.type === 'answer') return true
  if (outcome.cause === 'outside') return false
  return outcome.cause !== 'memory' || outcome.wasFresh
}
