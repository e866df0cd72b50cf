import { type Cause, type Child, type ExchangeOutcome, startChild } from './child.ts'
import { type HostRequest, SEARCHED_FILES } from './messages.ts'
import { MAX_DOCUMENTS } from './shelf.ts'

/**
 * A few children that share the work. A document has a home, the child that holds it open; a request whose home stays
 * busy goes to another, which asks for the document again. Who asks keeps the requests on one document in order.
 */
export interface Pool {
  exchange(request: HostRequest, bounds: ExchangeBounds): Promise<PoolOutcome>
  /** Does nothing while no child holds it. */
  forget(key: string): void
  /** Resolves when every child is gone. Requests that wait end as cancelled. */
  close(): Promise<void>
}

export interface ExchangeBounds {
  readonly timeoutMs: number
  /** In a child that has answered before; absent: the same. */
  readonly warmTimeoutMs?: number
  readonly signal?: AbortSignal
  /** Only a child that did nothing before will do. */
  readonly inFreshChild?: boolean
}

export type PoolOutcome = ExchangeOutcome & {
  /** The child had done nothing before, so whatever memory it took is due to this request. */
  readonly wasFresh: boolean
  /** Without the time that it waited for a child. */
  readonly workedMs: number
}

export interface PoolOptions {
  readonly command: readonly string[]
  readonly processes: number
  /** Of one child, resident. */
  readonly memoryBytes: number
  /** Of all children together. */
  readonly poolBytes: number
  /** How long a request waits for its home before it goes elsewhere. */
  readonly busyMs: number
  readonly onStart?: (pid: number) => void
  /** Each end of an exchange, for the log. */
  readonly onOutcome?: (outcome: ExchangeOutcome) => void
}

const SPARE_AFTER_MS = 250 // of work by all live children: the next request would wait for a start as long as this
const FRESH_AFTER_MS = 1_000 // … where the first work includes the start of the child itself
const MOST_PRESSURE = 2 // stops for want of memory before a request fails

interface Slot {
  child?: Child
  job?: Job
  began: number
  usedBytes: number
  readonly keys: Set<string>
}

interface Job {
  readonly request: HostRequest
  readonly bounds: ExchangeBounds
  readonly settle: (outcome: PoolOutcome) => void
  /** It waited long enough for its home. */
  isImpatient: boolean
  /** How often it had to stop because the children together took too much memory. */
  pressed: number
}

export function createPool(options: PoolOptions): Pool {
  const { command, processes, memoryBytes, poolBytes, busyMs } = options
  const slots: Slot[] = Array.from({ length: processes }, () => ({
    began: 0,
    usedBytes: 0,
    keys: new Set(),
  }))
  const waiting: Job[] = []
  let isClosed = false

  const isLive = ({ child }: Slot) => child?.isAlive === true
  const isFree = ({ job }: Slot) => job === undefined
  const isUnused = (slot: Slot) => !isLive(slot) || slot.child!.served === 0
  const homeOf = ({ request }: Job) => {
    const key = keyOf(request)
    return key === undefined ? undefined : slots.find(slot => isLive(slot) && slot.keys.has(key))
  }

  function exchange(request: HostRequest, bounds: ExchangeBounds): Promise<PoolOutcome> {
    return new Promise(resolve => {
      const timer = setTimeout(lose, busyMs)
      timer.unref()
      const job: Job = { request, bounds, isImpatient: false, pressed: 0, settle }
      function lose(): void {
        job.isImpatient = true
        dispatch()
      }
      function settle(outcome: PoolOutcome): void {
        clearTimeout(timer)
        bounds.signal?.removeEventListener('abort', withdraw)
        resolve(outcome)
      }
      function withdraw(): void {
        if (take(waiting, job)) settle(CANCELLED)
      }
      if (isClosed || bounds.signal?.aborted) return settle(CANCELLED)
      bounds.signal?.addEventListener('abort', withdraw)
      waiting.push(job)
      dispatch()
    })
  }

  /** Gives every request that can start a child; the oldest first. */
  function dispatch(): void {
    for (const job of [...waiting]) {
      const slot = choose(job)
      if (slot && take(waiting, job)) void run(slot, job)
    }
  }

  function choose(job: Job): Slot | undefined {
    if (job.pressed > 0 && !hasRoom()) return undefined
    const free = slots.filter(isFree)
    if (job.bounds.inFreshChild) return free.find(isUnused) ?? free[0]
    const home = homeOf(job)
    if (home && isFree(home)) return home
    if (home && !job.isImpatient) return undefined
    const warm = free.find(isLive)
    if (warm) return warm
    // A start costs more than most requests, so it is worth a short wait for a child that is there.
    return job.isImpatient || !slots.some(isLive) ? free[0] : undefined
  }

  /** Whether a request that may take all the memory of one child fits beside the others. */
  function hasRoom(): boolean {
    return slots.every(slot => isFree(slot) || slot.usedBytes <= poolBytes - memoryBytes)
  }

  async function run(slot: Slot, job: Job): Promise<void> {
    slot.job = job
    slot.began = performance.now()
    settleHome(slot, keyOf(job.request))
    if (job.bounds.inFreshChild && !isUnused(slot)) void slot.child!.kill()
    const child = start(slot)
    const wasFresh = child.served === 0
    const spare = setTimeout(startSpare, wasFresh ? FRESH_AFTER_MS : SPARE_AFTER_MS)
    spare.unref()
    const { timeoutMs, warmTimeoutMs = timeoutMs, signal } = job.bounds
    const outcome = await child.exchange(job.request, {
      timeoutMs: wasFresh ? timeoutMs : warmTimeoutMs,
      signal,
    })
    clearTimeout(spare)
    slot.job = undefined
    options.onOutcome?.(outcome)
    if (outcome.type === 'ended') replace(slot, outcome.cause)
    if (outcome.type === 'ended' && outcome.cause === 'pressure' && ++job.pressed <= MOST_PRESSURE)
      waiting.unshift(job)
    else job.settle({ ...outcome, wasFresh, workedMs: performance.now() - slot.began })
    dispatch()
  }

  /** The document is held here from now on; where it was before, it only takes memory. */
  function settleHome(slot: Slot, key: string | undefined): void {
    if (key === undefined) return
    for (const other of slots) if (other !== slot && other.keys.has(key)) letGo(other, key)
    slot.keys.delete(key)
    slot.keys.add(key)
    const [oldest] = slot.keys // a Set keeps the order of insertion
    if (slot.keys.size > MAX_DOCUMENTS) slot.keys.delete(oldest!)
  }

  function letGo(slot: Slot, key: string): void {
    slot.keys.delete(key)
    if (isLive(slot)) slot.child!.tell({ type: 'forget', key })
  }

  function start(slot: Slot): Child {
    if (slot.child && isLive(slot)) return slot.child
    slot.keys.clear()
    const key = slot.job && keyOf(slot.job.request)
    if (key !== undefined) slot.keys.add(key)
    slot.usedBytes = 0
    const child = startChild(command, memoryBytes, usedBytes => {
      slot.usedBytes = usedBytes
      relieve()
    })
    slot.child = child
    if (child.pid !== undefined) options.onStart?.(child.pid)
    return child
  }

  /** All live children are busy for long: the next request finds another one warm. */
  function startSpare(): void {
    if (isClosed || slots.some(slot => isFree(slot) && isLive(slot))) return
    const cold = slots.find(isFree)
    if (cold) start(cold)
  }

  /** Somebody else may be at work in the other children, so the next request should find this one warm. */
  function replace(slot: Slot, cause: Cause): void {
    slot.usedBytes = 0
    const isWanted = cause === 'time' || cause === 'memory' || cause === 'crash'
    if (!isClosed && isWanted && slots.some(isLive)) start(slot)
  }

  /** Together they take too much: those without work end first, then the request that came last. */
  function relieve(): void {
    const live = slots.filter(isLive)
    if (live.reduce((sum, { usedBytes }) => sum + usedBytes, 0) <= poolBytes) return
    const idle = live.filter(isFree).sort((a, b) => b.usedBytes - a.usedBytes)[0]
    if (idle) {
      idle.usedBytes = 0
      void idle.child!.kill()
      return relieve()
    }
    if (live.length < 2) return // its own bound holds
    const last = live.reduce((a, b) => (b.began > a.began ? b : a))
    last.child!.stop('pressure')
  }

  return {
    exchange,
    forget(key) {
      for (const slot of slots) if (slot.keys.has(key)) letGo(slot, key)
    },
    async close() {
      isClosed = true
      for (const job of waiting.splice(0)) job.settle(CANCELLED)
      await Promise.all(slots.map(({ child }) => child?.kill()))
    },
  }
}

const CANCELLED: PoolOutcome = {
  type: 'ended',
  cause: 'cancelled',
  detail: '',
  wasFresh: true,
  workedMs: 0,
}

function keyOf(request: HostRequest): string | undefined {
  if (request.type === 'search-files') return SEARCHED_FILES
  return request.type === 'document' ? request.key : undefined
}

/** Whether it was there. */
function take<Item>(list: Item[], item: Item): boolean {
  const at = list.indexOf(item)
  if (at < 0) return false
  list.splice(at, 1)
  return true
}
