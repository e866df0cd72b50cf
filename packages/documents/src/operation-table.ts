import { type Fields, type Instead, lookUp } from '@filewright/protocol'
import type { z } from 'zod'
import { isRequired, type NamedFields, shapeIn } from './fields/named-fields.ts'

/**
 * The operations of a format, declared once: its tool, the tool's schema, guidance, docs and repairs derive from it,
 * and the format's code has a handler for each. It needs none of that code.
 */
export interface OperationTable {
  readonly operations: Readonly<Record<string, OperationDeclaration>>
  /** The fields of all operations, each once, in the order shown to a model. */
  readonly fields: Readonly<Record<string, z.ZodOptional>>
  /** One operation as JSON, for a call that names none. */
  readonly example: string
  /** Further guidance for a model; without it, every operation with its description. */
  readonly guidance?: (usage: (...operations: string[]) => string) => readonly string[]
  /** Edits that need explicit permission, with the description of the argument. */
  readonly allows?: { readonly protected?: string; readonly breakSignature?: string }
  /** A field that may be set once, next to the list, for all operations; with its other names. */
  readonly shared?: readonly [string, ...string[]]
  /** The operation that these fields belong to if none is named. */
  readonly guess?: (fields: Fields) => string | undefined
  /** Requests that no operation serves, with the nearest alternative. The first match applies. */
  readonly advice?: readonly (readonly [RegExp, string])[]
  /** What does instead what a field asks for that no operation has. */
  readonly instead?: readonly Instead[]
}

export type OperationDeclaration = TypedOperation | LooseOperation

interface CommonDeclaration {
  /** "writes a block of rows" */
  readonly does: string
  /**
   * Its fields that name another file of the workspace, as a path or as `{path}`. That file's bytes are pinned in the
   * log and given to the operation (`operation-inputs.ts`).
   */
  readonly files?: readonly string[]
  /** Its fields for a table of the workspace whose rows it takes: see `RowFields`. */
  readonly rows?: RowFields
  /** Other names that models use for it. */
  readonly synonyms?: readonly string[]
  /**
   * Its fields in their own shape, if models often send another; a list makes several operations of it. `shared` holds
   * the fields set for all operations.
   */
  readonly meant?: (fields: Fields, shared: unknown) => Fields | readonly Fields[]
  /** A request that it does not serve, and what works instead. */
  readonly lacks?: (fields: Fields) => string | undefined
}

/** Its arguments are parsed once, before its handler sees them (`operation-arguments.ts`). */
export interface TypedOperation extends CommonDeclaration {
  /** Its fields as a model should send them, in that order; each with its kind, its words, and whether it is needed. */
  readonly takes: NamedFields
  /** Further fields that it accepts but a model is not shown. */
  readonly understands?: NamedFields
  /** At least one of these is needed. */
  readonly needs?: readonly string[]
  /** One of these is needed, instead of the others: `after | before`. */
  readonly either?: readonly string[]
  /** Other names of its fields that calls and the logs of drafts may have: `{ slide_index: 'index' }`. */
  readonly spellings?: Readonly<Record<string, string>>
  /** The fields of a call that works. */
  readonly example: Fields
}

/** Its handler looks at the fields by itself. */
export interface LooseOperation extends CommonDeclaration {
  /** Its fields as a model should send them: `sheet`, `range?`, `cells: [{cell, value}]`. */
  readonly takes: readonly string[]
  /** Further fields that it accepts but a model is not shown. */
  readonly understands?: readonly string[]
  /** Words for its own fields, or their kind too, where the shared schema means other operations. */
  readonly says?: Readonly<Record<string, string | z.ZodOptional>>
  /** The fields of a call that works. */
  readonly example?: Fields
}

/**
 * An operation that takes rows of a csv file or a sheet: they become plain values before it is logged. With `to` it makes
 * one file for each row, a copy of the file that the call names; without, all rows at once.
 */
export interface RowFields {
  /** `{path, table?, range?}` or a path. */
  readonly from: string
  /** `letters/{Name}.docx`: the name of a row's file. */
  readonly to: string
  /** Where the values go: an object by column, or a list of them. */
  readonly values: string
}

export function isTyped(own: OperationDeclaration): own is TypedOperation {
  return !Array.isArray(own.takes)
}

/** All fields that this operation may have; undefined for one that does not exist. */
export function fieldsOfOperation(
  { op }: Fields,
  { operations }: OperationTable,
): readonly string[] | undefined {
  const own = typeof op === 'string' ? lookUp(operations, op) : undefined
  if (!own) return undefined
  if (!isTyped(own)) return ['op', ...own.takes.map(nameOf), ...(own.understands ?? [])]
  const { takes, understands = {}, spellings = {} } = own
  return ['op', ...[takes, understands, spellings].flatMap(each => Object.keys(each))]
}

/** Whether a call of it without that field is refused. */
export function needsField(own: LooseOperation, field: string): boolean {
  return own.takes.some(shown => nameOf(shown) === field && !/^\w+\?|\|/.test(shown))
}

/** `cells: [{cell, value}]`, `range?` */
function nameOf(shown: string): string {
  return /^\w+/.exec(shown)![0]
}

/** `rename_sheet and copy_sheet {sheet, new_name}`: the usage of operations that take the same fields. */
export function usageOf({ operations }: OperationTable, names: readonly string[]): string {
  const takes = shownFields(operations[names[0]!]!)
  return `${names.join(names.length === 2 ? ' and ' : ', ')} {${takes.join(', ')}}`
}

/** `index`, `shape?`, `after | before`, `cells?: [{row, column, value}]` */
export function shownFields(own: OperationDeclaration): readonly string[] {
  if (!isTyped(own)) return own.takes
  const { takes, either = [] } = own
  return Object.keys(takes).flatMap(name => {
    if (!either.includes(name)) return withShape(takes, name, isRequired(takes[name]!) ? '' : '?')
    return name === either[0] ? either.map(each => withShape(takes, each, '')).join(' | ') : []
  })
}

function withShape(takes: NamedFields, name: string, mark: string): string {
  const shape = shapeIn(takes[name]!)
  return `${name}${mark}${shape === '' ? '' : `: ${shape}`}`
}
