import type { Model, ModelEvent } from '../../port/model.ts'
import { estimateTokens } from '../../port/tokens.ts'

export interface ScriptedAnswer {
  readonly text: string
  readonly calls: readonly { readonly name: string; readonly arguments: string }[]
}

export interface Script {
  readonly answers: readonly ScriptedAnswer[]
  /** Said before the first answer, so that a script cannot be mistaken for a model. */
  readonly notice?: string
  /** Between two pieces of text, to look like a model in a demonstration. */
  readonly delayMs?: number
}

export interface ScriptedOptions extends Script {
  readonly name?: string
  readonly contextTokens?: number
}

const PIECE = /\S+\s*/g

/**
 * Replays the answers of a conversation. The step is the number of answers given so far, so it keeps no state: a run that is
 * resumed by another process goes on where it was.
 */
export function createScripted(options: ScriptedOptions): Model {
  const { answers, notice, delayMs = 0, contextTokens = 1_000_000 } = options
  return {
    name: options.name ?? 'scripted',
    facts: { contextTokens, callsTools: true, seesImages: false },
    destination: null,
    endpoint: () => null,
    stream: async function* ({ step, system, messages, signal }): AsyncGenerator<ModelEvent> {
      const answer = answers[step] ?? { text: 'The script has ended.', calls: [] }
      const text = step === 0 && notice ? `${notice}\n\n${answer.text}` : answer.text
      for (const piece of delayMs > 0 ? (text.match(PIECE) ?? []) : [text]) {
        if (delayMs > 0) await new Promise(resolve => setTimeout(resolve, delayMs))
        if (signal.aborted) {
          const message = 'The request was cancelled.'
          yield {
            type: 'failure',
            failure: { cause: 'aborted', message, retry: false, spent: false },
          }
          return
        }
        if (piece !== '') yield { type: 'text', text: piece }
      }
      for (const call of answer.calls) yield { type: 'tool-call', ...call }
      const inputTokens = messages.reduce(
        (total, message) => total + estimateTokens(message.text),
        estimateTokens(system),
      )
      yield { type: 'usage', usage: { inputTokens, outputTokens: estimateTokens(text), cost: 0 } }
      yield { type: 'finish', reason: answer.calls.length > 0 ? 'tool-calls' : 'stop' }
    },
  }
}
