import type { ToolOffer, Toolset } from '@filewright/protocol'
import type { Tool } from '../bind.ts'
import { inToolset } from '../catalog.ts'
import { describe } from './describe.ts'
import { toPlainSchema } from './plain-schema.ts'

export interface OpenAiFunction {
  readonly type: 'function'
  readonly function: ToolOffer
}

/** The function list of a chat completions request, for a caller that sends no separate guidance. */
export function toOpenAi(tools: readonly Tool[], toolset?: Toolset): readonly OpenAiFunction[] {
  return inToolset(tools, toolset).map(({ declaration }) => ({
    type: 'function',
    function: {
      name: declaration.name,
      description: describe(declaration),
      parameters: toPlainSchema(declaration.input),
    },
  }))
}

/** The same for a caller whose system prompt carries `toGuidance`: no text is sent, or paid for, twice. */
export function toOffers(tools: readonly Tool[], toolset: Toolset): readonly ToolOffer[] {
  return inToolset(tools, toolset).map(({ declaration }) => ({
    name: declaration.name,
    description: declaration.summary,
    parameters: toPlainSchema(declaration.input),
  }))
}
