import type { OfferedTool } from '@filewright/loop'
import { labelOf, type Toolset } from '@filewright/protocol'
import { catalog, inToolset, toOpenAi } from '@filewright/tools'

const offers = new Map<string, readonly OfferedTool[]>()

/** The tools of a toolset as a model sees them, the same array each time. Planning offers only tools that read. */
export function offeredTools(toolset: Toolset, isPlan: boolean): readonly OfferedTool[] {
  const key = `${toolset} ${isPlan}`
  const held = offers.get(key)
  if (held) return held
  const tools = inToolset(catalog, toolset).filter(
    ({ declaration }) => !isPlan || declaration.writes === 'nothing',
  )
  const functions = new Map(toOpenAi(tools).map(offer => [offer.function.name, offer.function]))
  const made = tools.map(
    ({ declaration }): OfferedTool => ({
      name: declaration.name,
      description: declaration.summary,
      parameters: functions.get(declaration.name)!.parameters,
      guidance: declaration.guidance,
      readOnly: declaration.writes === 'nothing',
      label: args => labelOf(declaration, args),
      ...(declaration.aliases && { aliases: declaration.aliases }),
    }),
  )
  offers.set(key, made)
  return made
}
