import type { LanguageModelV3StreamPart, SharedV3ProviderOptions } from '@ai-sdk/provider'
import type { ModelEvent } from '../../port/model.ts'

/**
 * What a provider wants back with an answer: signatures of its reasoning, marks on its text and its calls, in the order in
 * which they came. OpenAI refuses reasoning that is not followed by what it led to.
 */
export interface ReturnedParts {
  readonly parts: readonly ReturnedPart[]
}

export type ReturnedPart =
  | { readonly type: 'reasoning'; text: string; options?: SharedV3ProviderOptions }
  /** As many characters of the answer's text. */
  | { readonly type: 'text'; length: number; options?: SharedV3ProviderOptions }
  /** The next of the answer's calls. */
  | { readonly type: 'call'; options?: SharedV3ProviderOptions }

export interface PartReader {
  push(part: LanguageModelV3StreamPart): ModelEvent[]
  /** Characters of the answer so far, including unfinished calls. */
  readonly taken: number
  readonly calls: number
  /** Undefined when nothing has to go back. */
  provider(): ReturnedParts | undefined
}

export function createPartReader(): PartReader {
  const parts: ReturnedPart[] = []
  const open = new Map<string, ReturnedPart>()
  let calls = 0
  let taken = 0

  /** Ids of reasoning and of text are of different kinds, and a provider may repeat one within an answer. */
  const begin = (key: string, part: ReturnedPart) => {
    parts.push(part)
    open.set(key, part)
    return part
  }

  const push = (part: LanguageModelV3StreamPart): ModelEvent[] => {
    if ('delta' in part) taken += part.delta.length
    switch (part.type) {
      case 'text-start':
        mark(begin(`text ${part.id}`, { type: 'text', length: 0 }), part.providerMetadata)
        return []
      case 'text-delta':
      case 'text-end':
        return pushText(part)
      case 'reasoning-start':
        mark(begin(`reasoning ${part.id}`, { type: 'reasoning', text: '' }), part.providerMetadata)
        return []
      case 'reasoning-delta':
      case 'reasoning-end':
        return pushReasoning(part)
      case 'tool-call':
        calls++
        parts.push({ type: 'call', options: part.providerMetadata })
        return [{ type: 'tool-call', name: part.toolName, arguments: part.input }]
      default:
        return []
    }
  }

  const pushText = (
    part: Extract<LanguageModelV3StreamPart, { type: 'text-delta' | 'text-end' }>,
  ): ModelEvent[] => {
    const key = `text ${part.id}`
    const known = open.get(key) ?? begin(key, { type: 'text', length: 0 })
    mark(known, part.providerMetadata)
    if (part.type === 'text-end' || part.delta === '' || known.type !== 'text') return []
    known.length += part.delta.length
    return [{ type: 'text', text: part.delta }]
  }

  const pushReasoning = (
    part: Extract<LanguageModelV3StreamPart, { type: 'reasoning-delta' | 'reasoning-end' }>,
  ): ModelEvent[] => {
    const key = `reasoning ${part.id}`
    const known = open.get(key) ?? begin(key, { type: 'reasoning', text: '' })
    mark(known, part.providerMetadata)
    if (part.type === 'reasoning-end' || part.delta === '' || known.type !== 'reasoning') return []
    known.text += part.delta
    return [{ type: 'reasoning', text: part.delta }]
  }

  return {
    push,
    get taken() {
      return taken
    },
    get calls() {
      return calls
    },
    provider: () => {
      const marked = parts.filter(part => part.type !== 'reasoning' || part.options)
      return marked.some(part => part.options) ? { parts: marked } : undefined
    },
  }
}

function mark(part: ReturnedPart, options: SharedV3ProviderOptions | undefined): void {
  if (!options) return
  const merged: SharedV3ProviderOptions = { ...part.options }
  for (const [provider, given] of Object.entries(options))
    merged[provider] = { ...merged[provider], ...given }
  part.options = merged
}
