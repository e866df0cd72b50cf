import type { Kind } from '../words/result.ts'
import type { ExecutionLocation, Toolset, Writes } from './tool.ts'

/** A tool as the catalog describes it. */
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
  /** JSON Schema, as is `output`. */
  readonly input: Readonly<Record<string, unknown>>
  readonly output: Readonly<Record<string, unknown>>
}
