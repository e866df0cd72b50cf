import type { ContextLayer } from '@filewright/protocol'
import type { LoopPort } from '../port/loop-port.ts'
import type { HouseRules, PromptFiles, PromptInput } from '../port/prompt-input.ts'
import { hashOf, lateLayers, toLateLayer } from './late-layers.ts'
import { type ActivePrompt, composeActiveFiles, composePrompt, type Prompt } from './prompt.ts'

/** What the prompt is made of is gathered once a run, and again after a summary; nothing is composed twice. */
export interface PromptCache {
  gather(key: string): Promise<Prompt>
  /** With the text of what is new, given the hashes of the layers that the conversation shows. */
  late(shown: ReadonlyMap<string, string>, contextTokens: number): Promise<readonly ContextLayer[]>
  active(contextTokens: number): Promise<ActivePrompt>
}

interface Held {
  readonly key: string
  /** A model whose window turns out smaller is offered a shorter list. */
  readonly tools: LoopPort['tools']
  readonly input: PromptInput
  readonly prompt: Prompt
}

interface Late {
  readonly input: PromptInput
  readonly rules: readonly HouseRules[]
  readonly shown: string
  readonly layers: readonly ContextLayer[]
}

const NO_RULES: readonly HouseRules[] = []

export function createPromptCache(port: LoopPort): PromptCache {
  let held: Held | undefined
  let active: { files: PromptFiles; contextTokens: number; prompt: ActivePrompt } | undefined
  let late: Late | undefined
  /** By their hash: what this process has sent, so that only the difference is sent next. */
  const sentRows = new Map<string, readonly string[]>()

  const compose = (
    input: PromptInput,
    rules: readonly HouseRules[],
    shown: ReadonlyMap<string, string>,
    contextTokens: number,
  ) =>
    lateLayers(input, contextTokens, rules).map(layer => {
      const sha256 = shown.get(layer.name)
      const rows = sha256 === undefined ? undefined : sentRows.get(sha256)
      sentRows.set(hashOf(layer, port.sha256), layer.rows)
      return toLateLayer(layer, { sha256, rows }, port.sha256)
    })

  return {
    gather: async key => {
      const { tools } = port
      if (held?.key === key && held.tools === tools) return held.prompt
      const input = held?.key === key ? held.input : await port.promptInput()
      const prompt = composePrompt(input.session, tools, port.sha256)
      held = { key, tools, input, prompt }
      return prompt
    },
    late: async (shown, contextTokens) => {
      const { input } = held!
      const rules = (await port.folderRules?.()) ?? NO_RULES
      const state = [contextTokens, ...shown.values()].join(' ')
      if (late?.input !== input || late.rules !== rules || late.shown !== state) {
        const layers = compose(input, rules, shown, contextTokens)
        late = { input, rules, shown: state, layers }
      }
      return late.layers
    },
    active: async contextTokens => {
      const files = await port.activeFiles()
      if (active?.files !== files || active.contextTokens !== contextTokens) {
        const prompt = composeActiveFiles(files, contextTokens, port.sha256)
        active = { files, contextTokens, prompt }
      }
      return active.prompt
    },
  }
}
