import type { LoopPort } from '../port/loop-port.ts'
import type { PromptFiles, PromptInput } from '../port/prompt-input.ts'
import { type ActivePrompt, composeActiveFiles, composePrompt, type Prompt } from './prompt.ts'

/** The prompt of a run stays the same until a compaction: a provider's prefix cache holds, and nothing is composed twice. */
export interface PromptCache {
  system(key: string): Promise<Prompt>
  active(contextTokens: number): Promise<ActivePrompt>
  /** As last gathered for the system prompt. */
  input(): Promise<PromptInput>
}

export function createPromptCache(port: LoopPort): PromptCache {
  let held: { key: string; input: PromptInput; prompt: Prompt } | undefined
  let active: { files: PromptFiles; contextTokens: number; prompt: ActivePrompt } | undefined

  return {
    system: async key => {
      if (held?.key === key) return held.prompt
      const input = await port.promptInput()
      held = { key, input, prompt: composePrompt(input, port.tools, port.sha256) }
      return held.prompt
    },
    active: async contextTokens => {
      const files = await port.activeFiles()
      if (active?.files !== files || active.contextTokens !== contextTokens) {
        const prompt = composeActiveFiles(files, contextTokens, port.sha256)
        active = { files, contextTokens, prompt }
      }
      return active.prompt
    },
    input: async () => held?.input ?? port.promptInput(),
  }
}
