import { optional } from '../../../fields/named-fields.ts'
import type { ArgsOf } from '../../../operation-arguments.ts'
import type { OperationTable, TypedOperation } from '../../../operation-table.ts'
import { CHART_OPERATIONS } from './charts.ts'
import { FIELDS } from './fields.ts'
import { MARK_OPERATIONS } from './marks.ts'
import { opOf } from './meant.ts'
import { SHAPE_OPERATIONS } from './shapes.ts'
import { SLIDE_OPERATIONS } from './slides.ts'
import { TABLE_OPERATIONS } from './tables.ts'
import { TEXT_OPERATIONS } from './text.ts'

/** In the order shown to a model. Each group is a file here and a folder in `operations/`. */
export const OPERATIONS = {
  ...TEXT_OPERATIONS,
  ...SLIDE_OPERATIONS,
  ...MARK_OPERATIONS,
  ...TABLE_OPERATIONS,
  ...SHAPE_OPERATIONS,
  ...CHART_OPERATIONS,
} as const satisfies Readonly<Record<string, TypedOperation>>

type Declared = typeof OPERATIONS

/** The arguments of an operation, as its declaration gives them. */
export type DeckArgs<Name extends keyof Declared> = ArgsOf<Declared[Name]>

export const DECK_OPERATIONS: OperationTable = {
  operations: OPERATIONS,
  fields: optional(FIELDS),
  example: '{"op": "set_slide_text", "index": 0, "title": "Results"}',
  guidance: usage => [
    ...Object.entries<TypedOperation>(OPERATIONS).map(
      ([name, { does }]) => `${usage(name)} ${does}.`,
    ),
    'index counts slides from 0 as they stand when the operation runs; shapes are named by the id that read_file and get_file_info show. Everything you do not name stays as it is. For a changed copy pass copy_from.',
  ],
  allows: { breakSignature: 'Edit even if that breaks a signature' },
  guess: opOf,
}
