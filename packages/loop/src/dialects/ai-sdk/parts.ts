import type { LanguageModelV3StreamPart, SharedV3ProviderOptions } from '@ai-sdk/provider'
import type { ModelEvent } from '../../port/model.ts'

/** What a provider wants back with an answer: signatures of its reasoning, marks on its text and its calls. */
export interface ReturnedParts {
  readonly reasoning: readonly {
    readonly text: string
    readonly options?: SharedV3ProviderOptions
  }[]
  readonly text?: SharedV3ProviderOptions
  readonly calls: readonly (SharedV3ProviderOptions | null)[]
}

export interface PartReader {
  push(part: LanguageModelV3StreamPart): ModelEvent[]
  /** Characters of the answer so far, including unfinished calls. */
  readonly taken: number
  readonly calls: number
  /** Undefined when nothing has to go back. */
  provider(): ReturnedParts | undefined
}

export function createPartReader(): PartReader {
  const reasoning = new Map<string, { text: string; options?: SharedV3ProviderOptions }>()
  const calls: (SharedV3ProviderOptions | null)[] = []
  let text: SharedV3ProviderOptions | undefined
  let taken = 0

  const mark = (id: string, piece: string, options: SharedV3ProviderOptions | undefined) => {
    const part = reasoning.get(id) ?? { text: '' }
    part.text += piece
    if (options) part.options = merge(part.options, options)
    reasoning.set(id, part)
  }

  const push = (part: LanguageModelV3StreamPart): ModelEvent[] => {
    if ('delta' in part) taken += part.delta.length
    switch (part.type) {
      case 'text-delta':
        return part.delta === '' ? [] : [{ type: 'text', text: part.delta }]
      case 'text-end':
        text = part.providerMetadata ?? text
        return []
      case 'reasoning-start':
      case 'reasoning-end':
        mark(part.id, '', part.providerMetadata)
        return []
      case 'reasoning-delta':
        mark(part.id, part.delta, part.providerMetadata)
        return part.delta === '' ? [] : [{ type: 'reasoning', text: part.delta }]
      case 'tool-call':
        calls.push(part.providerMetadata ?? null)
        return [{ type: 'tool-call', name: part.toolName, arguments: part.input }]
      default:
        return []
    }
  }

  return {
    push,
    get taken() {
      return taken
    },
    get calls() {
      return calls.length
    },
    provider: () => {
      const marked = [...reasoning.values()].filter(part => part.options)
      if (marked.length === 0 && !text && calls.every(call => call === null)) return undefined
      return { reasoning: marked, ...(text && { text }), calls }
    },
  }
}

function merge(a: SharedV3ProviderOptions | undefined, b: SharedV3ProviderOptions) {
  const merged: SharedV3ProviderOptions = { ...a }
  for (const [provider, options] of Object.entries(b))
    merged[provider] = { ...merged[provider], ...options }
  return merged
}
