import type { Fields } from '@filewright/protocol'
import type { z } from 'zod'

/**
 * What a format can be asked to do, declared once: its tool, the tool's schema, guidance, docs and repairs derive from
 * it, and the format's code has a handler for each line. It needs none of that code.
 */
export interface OperationTable {
  readonly operations: Readonly<Record<string, OperationDeclaration>>
  /** The fields of all operations, each once, in the order in which a model is shown them. */
  readonly fields: Readonly<Record<string, z.ZodOptional>>
  /** One operation as JSON, for a call that names none. */
  readonly example: string
  /** What else a model should know; without it, every operation with what it does. */
  readonly guidance?: (usage: (...operations: string[]) => string) => readonly string[]
  /** What must be allowed expressly, in the words of its argument. */
  readonly allows?: { readonly protected?: string; readonly breakSignature?: string }
  /** A field that may be named once, beside the list, for all operations; with its other names. */
  readonly shared?: readonly [string, ...string[]]
  /** The operation that these fields belong to, where none is named. */
  readonly guess?: (fields: Fields) => string | undefined
  /** What models ask for that no operation does, with what comes nearest. The first that fits is meant. */
  readonly advice?: readonly (readonly [RegExp, string])[]
}

export interface OperationDeclaration {
  /** Its fields as a model should send them: `sheet`, `range?`, `cells: [{cell, value}]`. */
  readonly takes: readonly string[]
  /** Others that it understands and a model is not shown. */
  readonly understands?: readonly string[]
  /** "writes a block of rows" */
  readonly does: string
  /** Words that models use for it. */
  readonly synonyms?: readonly string[]
  /** Its fields in their own shape, where models often send another. `shared` is what was said for all operations. */
  readonly meant?: (fields: Fields, shared: unknown) => Fields
  /** What was asked of it that it does not do, and what works instead. */
  readonly lacks?: (fields: Fields) => string | undefined
}

/** `rename_sheet and copy_sheet {sheet, new_name}`: how operations that take the same fields are sent. */
export function usageOf({ operations }: OperationTable, names: readonly string[]): string {
  const takes = operations[names[0]!]!.takes.join(', ')
  return `${names.join(names.length === 2 ? ' and ' : ', ')} {${takes}}`
}
