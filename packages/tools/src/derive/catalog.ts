import {
  COMMON_CODES,
  type ExecutionLocation,
  type Kind,
  type ToolDeclaration,
  type Toolset,
  type Writes,
} from '@filewright/protocol'
import type { Tool } from '../bind.ts'
import { inToolset } from '../catalog.ts'
import type { JsonSchema } from './json-schema.ts'
import { toPlainSchema } from './plain-schema.ts'

export interface CatalogEntry {
  readonly name: string
  readonly aliases: readonly string[]
  readonly label: string
  readonly summary: string
  readonly guidance: string
  readonly executionLocation: ExecutionLocation
  readonly toolsets: readonly Toolset[]
  readonly writes: Writes
  /** Every code it may answer with, the common ones too, and what to do next. */
  readonly failures: Readonly<Record<string, Kind>>
  readonly input: JsonSchema
  readonly output: JsonSchema
}

/** The catalog as data: what the server advertises, and the web app is built with. */
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
    // Its own come first, and a common code keeps the kind that the tool gave it.
    failures: { ...failures, ...COMMON_CODES, ...failures },
    input: toPlainSchema(input),
    output: toPlainSchema(output),
  }
}
