import { LOOP_LIMITS, type LoopLimits } from '../port/loop-limits.ts'
import type { LoopPort } from '../port/loop-port.ts'
import { createPromptCache } from '../prompt/prompt-cache.ts'
import { closingLine } from '../state/closing-line.ts'
import { decide, type Next } from '../state/decide.ts'
import type { CallProgress, LoopState } from '../state/loop-state.ts'
import { createMemory } from '../state/memory.ts'
import { askModel } from './ask-model.ts'
import { answerCalls, reconcileCalls, runCalls } from './call-tools.ts'
import { compact } from './compaction.ts'
import { endRun } from './end-run.ts'
import { createInboxReader, type InboxReader } from './inbox-reader.ts'
import type { LoopContext, RunOutcome } from './loop-context.ts'
import { createModelFacts } from './model-facts.ts'
import { waitForRetry } from './retry.ts'

/** One session's loop in this process; its state stays between runs, so that the next one starts at once. */
export interface Loop {
  readonly state: LoopState
  /** Goes on from what the log says until the run ends, waits for a person, or the lease is lost. */
  run(): Promise<RunOutcome>
  /** This process ends: the run stops where it is, with its log, for another process to resume. */
  leave(): void
}

export function createLoop(port: LoopPort, limits: Partial<LoopLimits> = {}): Loop {
  const memory = createMemory(port)
  const inbox = createInboxReader(port, memory)
  const context: LoopContext = {
    port,
    memory,
    limits: { ...LOOP_LIMITS, ...limits },
    prompts: createPromptCache(port),
    facts: createModelFacts(port, memory),
    interruptible: inbox.interruptible,
    startHelper: own => createLoop(own, limits),
  }

  const run = async (): Promise<RunOutcome> => {
    await memory.catchUp()
    countLostRequest(context)
    await prepare(inbox, context)
    for (;;) {
      await inbox.take(context)
      context.facts.record()
      const next = decide(memory.state, context.limits)
      const outcome = await act(next, inbox, context)
      if (outcome) return outcome
    }
  }

  return {
    get state() {
      return memory.state
    },
    leave: () => memory.leave(),
    run: async () => {
      const stopListening = inbox.listen()
      try {
        return await run()
      } catch (cause) {
        if (!memory.lost.aborted) throw cause
        return { type: 'lost', cause: memory.lost.reason }
      } finally {
        context.facts.stopLearning()
        stopListening()
      }
    },
  }
}

async function act(
  next: Next,
  inbox: InboxReader,
  context: LoopContext,
): Promise<RunOutcome | undefined> {
  switch (next.type) {
    case 'call-model':
      return askModel(context)
    case 'retry-later':
      return (await waitForRetry(next, context)) ? undefined : askModel(context)
    case 'run-tools':
      return runCalls(next.calls, context)
    case 'reconcile':
      return reconcileCalls(next.calls, context)
    case 'answer-calls':
      return answerCalls(next.answers, context)
    case 'compact':
      return compact(context)
    case 'wait':
      return pause(next.calls, inbox, context)
    case 'stop':
      return endRun(next.reason, next.message, context)
    case 'idle':
      return { type: 'idle' }
  }
}

/** Only for a run that goes on: one that a person cancels does not wait for it. */
async function prepare(inbox: InboxReader, context: LoopContext): Promise<void> {
  const { memory, port } = context
  if (!memory.state.run || !port.prepare) return
  await inbox.take(context)
  if (memory.state.cancelled) return
  const lines = await inbox.interruptible(({ cancelled }) =>
    Promise.race([port.prepare!(), cancelled.then(() => [])]),
  )
  memory.lost.throwIfAborted()
  memory.append(lines)
}

/** A process died between a request and its answer: what it cost is not known. */
function countLostRequest({ memory }: LoopContext): void {
  const { asking, inFlight } = memory.state
  if (!asking || !inFlight) return
  const usage = { inputTokens: 0, outputTokens: 0, unknown: true }
  memory.append([{ type: 'usage', turn_id: asking, usage }])
}

/** An item that arrives while the pause is being written would wake no one, so it is taken at once. */
async function pause(
  calls: readonly CallProgress[],
  inbox: InboxReader,
  { memory }: LoopContext,
): Promise<RunOutcome | undefined> {
  const run = memory.state.run!
  const closing = closingLine(run)
  if (!memory.state.paused)
    memory.append([
      { type: 'run-end', run_id: run.runId, reason: 'waiting', closing, usage: run.usage },
    ])
  await memory.settled()
  return inbox.hasArrivals ? undefined : { type: 'waiting', calls, closing }
}
