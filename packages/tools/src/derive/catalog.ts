import {
  type CatalogEntry,
  COMMON_CODES,
  type ToolDeclaration,
  type Toolset,
} from '@filewright/protocol'
import type { Tool } from '../bind.ts'
import { inToolset } from '../catalog.ts'
import { toPlainSchema } from './plain-schema.ts'

/** The catalog as data: advertised by the server and built into the web app. */
export function toCatalogJson(tools: readonly Tool[], toolset?: Toolset): readonly CatalogEntry[] {
  return inToolset(tools, toolset).map(({ declaration }) => toEntry(declaration))
}

function toEntry(declaration: ToolDeclaration): CatalogEntry {
  const { name, aliases = [], label, summary, guidance, executionLocation } = declaration
  const { toolsets, writes, failures, input, output } = declaration
  return {
    name,
    aliases,
    label,
    summary,
    guidance,
    executionLocation,
    toolsets,
    writes,
    // Its own codes come first, and a common code keeps the kind that the tool gave it.
    failures: { ...failures, ...COMMON_CODES, ...failures },
    input: toPlainSchema(input),
    output: toPlainSchema(output),
  }
}
