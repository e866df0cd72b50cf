import type { Toolset } from '@filewright/protocol'
import type { Tool } from '../bind.ts'
import { inToolset } from '../catalog.ts'

/** When to use each offered tool, when not, and how: part of the system prompt. */
export function toGuidance(tools: readonly Tool[], toolset?: Toolset): string {
  return inToolset(tools, toolset)
    .map(({ declaration }) => `${declaration.name}: ${declaration.guidance}`)
    .join('\n\n')
}
