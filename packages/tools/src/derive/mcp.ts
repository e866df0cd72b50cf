import type { Toolset } from '@filewright/protocol'
import type { Tool } from '../bind.ts'
import { inToolset } from '../catalog.ts'
import { describe } from './describe.ts'
import { fitTools, roomFor, type ShownTool } from './fit-tools.ts'
import type { JsonSchema } from './json-schema.ts'
import { toPlainSchema } from './plain-schema.ts'

export interface McpTool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: JsonSchema
  readonly outputSchema: JsonSchema
  readonly annotations: {
    readonly readOnlyHint: boolean
    readonly destructiveHint: boolean
    readonly openWorldHint: false
  }
}

/** The answer to `tools/list`. */
export function toMcp(
  tools: readonly Tool[],
  toolset?: Toolset,
): { readonly tools: readonly McpTool[] } {
  const list = fitTools(inToolset(tools, toolset), roomFor(toolset), {
    toItem: toMcpTool,
    // What a client hands on to its model.
    sizeOf: ({ name, description, inputSchema }) =>
      Buffer.byteLength(JSON.stringify({ name, description, inputSchema })),
  })
  return { tools: list }
}

function toMcpTool({ declaration, guidance, parameters }: ShownTool): McpTool {
  const { name, summary, output, writes } = declaration
  return {
    name,
    title: toTitle(name),
    description: describe(summary, guidance),
    inputSchema: parameters,
    outputSchema: toPlainSchema(output),
    annotations: {
      readOnlyHint: writes === 'nothing',
      // A draft only adds; only writes to the workspace can replace something.
      destructiveHint: writes === 'workspace',
      openWorldHint: false,
    },
  }
}

function toTitle(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ')
}
