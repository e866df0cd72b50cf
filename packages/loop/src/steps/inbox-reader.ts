import { type Arrival, type LoopPort, RUN_LEFT } from '../port/loop-port.ts'
import type { Memory } from '../state/memory.ts'
import type { LoopContext } from './loop-context.ts'
import { toResultLine } from './result-line.ts'

export interface InboxReader {
  /** Until the returned function is called. */
  listen(): () => void
  /** Appends what has arrived: the moment in which a person is heard. */
  take(context: LoopContext): Promise<void>
  /** Something came since the last look. */
  readonly hasArrivals: boolean
  interruptible: LoopContext['interruptible']
}

export function createInboxReader(port: LoopPort, memory: Memory): InboxReader {
  let hasArrivals = false
  let isCancelled = false
  const steps = new Set<(reason?: string) => void>()

  const interruptAll = (reason?: string) => {
    for (const interrupt of steps) interrupt(reason)
  }
  memory.lost.addEventListener('abort', () => interruptAll(RUN_LEFT))

  const onArrival = (what: 'cancel' | 'other') => {
    hasArrivals = true
    if (what === 'other') return
    isCancelled = true
    interruptAll()
  }

  const take = async (context: LoopContext) => {
    while (hasArrivals) {
      hasArrivals = false
      isCancelled = false
      for (const item of await port.inbox.read()) {
        // a run that was cancelled ends; what the person says after that is for the next one
        if (memory.state.cancelled && item.line?.type === 'steer') continue
        const line = item.line ?? (await outcomeLine(item, context))
        memory.append(item.lines ?? (line ? [line] : []), [item.id])
      }
    }
  }

  const interruptible: LoopContext['interruptible'] = async step => {
    const controller = new AbortController()
    let interrupt = (reason?: string) => controller.abort(reason)
    const cancelled = new Promise<void>(resolve => {
      interrupt = reason => {
        resolve()
        controller.abort(reason)
      }
    })
    steps.add(interrupt)
    if (memory.lost.aborted) interrupt(RUN_LEFT)
    else if (isCancelled) interrupt()
    try {
      return await step({ signal: controller.signal, cancelled, abort: () => controller.abort() })
    } finally {
      steps.delete(interrupt)
    }
  }

  return {
    listen: () => {
      hasArrivals = true // items that arrived before we listened
      return port.inbox.onArrival(onArrival)
    },
    take,
    interruptible,
    get hasArrivals() {
      return hasArrivals
    },
  }
}

/** Undefined for a call that has its result already or belongs to no open turn: its outcome is dropped. */
async function outcomeLine({ outcome: arrived }: Arrival, context: LoopContext) {
  const call = context.memory.state.turn?.calls.find(one => one.id === arrived?.toolCallId)
  if (!arrived || !call || call.status === 'done') return undefined
  return toResultLine(call, arrived.outcome, context)
}
