import type { Memory } from './memory.ts'
import type { ModelFacts } from './model.ts'
import type { LoopPort } from './port.ts'

/** What is known of the model, asked for in the background: the first request does not wait for it. */
export interface KnownFacts {
  readonly facts: ModelFacts
  /** Begins to ask the endpoint, once. */
  learn(): void
  /** Resolves when the endpoint has answered, or will not. */
  learned(): Promise<void>
  /** Puts news into the log, from which the next step is decided. */
  record(): void
}

const LEARN_MS = 3_000 // a local server that is loading its model answers late; nothing waits for it but a compaction

export function createModelFacts(port: LoopPort, memory: Memory): KnownFacts {
  let facts = port.model.facts
  let learning: Promise<void> | undefined

  const learn = () => {
    if (!port.model.learn) return
    learning ??= port.model.learn(AbortSignal.timeout(LEARN_MS)).then(told => {
      facts = { ...facts, ...told }
    })
  }

  return {
    get facts() {
      return facts
    },
    learn,
    learned: async () => {
      learn()
      await learning
    },
    record: () => {
      const { run, context } = memory.state
      if (!run || facts.contextTokens === undefined || context.limit !== null) return
      memory.append([
        {
          type: 'model',
          model: run.model,
          context_tokens: facts.contextTokens,
          ...(facts.seesImages !== undefined && { sees_images: facts.seesImages }),
          ...(facts.callsTools !== undefined && { calls_tools: facts.callsTools }),
        },
      ])
    },
  }
}
