import { signalWithin } from '@filewright/protocol'
import type { LoopPort } from '../port/loop-port.ts'
import type { Model, ModelFacts } from '../port/model.ts'
import type { Memory } from '../state/memory.ts'

/** What is known of the model. It is asked for in the background; the first request does not wait. */
export interface KnownFacts {
  readonly facts: ModelFacts
  /** Begins to ask the endpoint, once. */
  learn(): void
  /** Resolves when the endpoint has answered, or will not. */
  learned(): Promise<void>
  /** Puts news into the log, from which the next step is decided. */
  record(): void
  /** The run is over: an endpoint that has not answered keeps no process alive. The next run asks again. */
  stopLearning(): void
}

const LEARN_MS = 3_000 // a local server that is loading its model answers late; only a compaction waits for it

export function createModelFacts(port: LoopPort, memory: Memory): KnownFacts {
  const known = new Map<Model, { facts: ModelFacts; learning?: Promise<void> | undefined }>()
  let asking = new AbortController()

  /** Facts of the current model: a person may choose another between two runs. */
  const current = () => {
    const { model } = port
    const held = known.get(model) ?? { facts: model.facts }
    known.set(model, held)
    return held
  }

  const learn = () => {
    const held = current()
    const { signal } = asking
    const bounded = signalWithin(LEARN_MS, signal)
    held.learning ??= port.model.learn?.(bounded).then(told => {
      held.facts = { ...held.facts, ...told }
      if (signal.aborted) held.learning = undefined
    })
    return held.learning
  }

  return {
    get facts() {
      return current().facts
    },
    learn: () => void learn(),
    learned: async () => {
      await learn()
    },
    stopLearning: () => {
      asking.abort()
      asking = new AbortController()
    },
    record: () => {
      const { run, context } = memory.state
      const { facts } = current()
      const isNew = context.model !== port.model.name
      const isNews = context.limit === null && facts.contextTokens !== undefined
      if (!run || !(isNew || isNews)) return
      memory.append([
        {
          type: 'model',
          model: port.model.name,
          ...(facts.contextTokens !== undefined && { context_tokens: facts.contextTokens }),
          ...(facts.seesImages !== undefined && { sees_images: facts.seesImages }),
          ...(facts.callsTools !== undefined && { calls_tools: facts.callsTools }),
        },
      ])
    },
  }
}
