import type { ToolOffer, Toolset } from '@filewright/protocol'
import type { Tool } from '../bind.ts'
import { inToolset } from '../catalog.ts'
import { describe } from './describe.ts'
import { fitTools, roomFor } from './fit-tools.ts'

export interface OpenAiFunction {
  readonly type: 'function'
  readonly function: ToolOffer
}

/** The function list of a chat completions request, for a caller that sends no separate guidance. */
export function toOpenAi(tools: readonly Tool[], toolset?: Toolset): readonly OpenAiFunction[] {
  return fitTools(inToolset(tools, toolset), roomFor(toolset), {
    toItem: ({ declaration: { name, summary }, guidance, parameters }): OpenAiFunction => ({
      type: 'function',
      function: { name, description: describe(summary, guidance), parameters },
    }),
    sizeOf: item => Buffer.byteLength(JSON.stringify(item)),
  })
}

/** For a caller whose system prompt carries the guidance: no text is sent, or paid for, twice. */
export interface GuidedOffer extends ToolOffer {
  readonly guidance: string
}

/** What a model is offered, with the guidance, in at most so many bytes. */
export function toOffers(tools: readonly Tool[], room: number): readonly GuidedOffer[] {
  return fitTools(tools, room, {
    toItem: ({ declaration: { name, summary }, guidance, parameters }): GuidedOffer => ({
      name,
      description: summary,
      parameters,
      guidance,
    }),
    sizeOf: item => Buffer.byteLength(JSON.stringify(item)),
  })
}
