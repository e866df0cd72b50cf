import { optional } from '../../../fields/named-fields.ts'
import type { ArgsOf } from '../../../operation-arguments.ts'
import type { OperationTable, TypedOperation } from '../../../operation-table.ts'
import { BLOCK_OPERATIONS } from './blocks.ts'
import { CLEAN_OPERATIONS } from './clean.ts'
import { COPY_OPERATIONS } from './copy.ts'
import { FIELDS } from './fields.ts'
import { FILL_OPERATIONS } from './fill.ts'
import { LIST_OPERATIONS } from './lists.ts'
import { MARK_OPERATIONS } from './marks.ts'
import { opOf } from './meant.ts'
import { NOTE_OPERATIONS } from './notes.ts'
import { PAGE_OPERATIONS } from './pages.ts'
import { PICTURE_OPERATIONS } from './pictures.ts'
import { REFERENCE_OPERATIONS } from './references.ts'
import { REVISION_OPERATIONS } from './revisions.ts'
import { TABLE_OPERATIONS } from './tables.ts'
import { TEXT_OPERATIONS } from './text.ts'

/** In the order shown to a model. Each group is a file here and a folder in `operations/`. */
export const OPERATIONS = {
  ...TEXT_OPERATIONS,
  ...MARK_OPERATIONS,
  ...NOTE_OPERATIONS,
  ...PAGE_OPERATIONS,
  ...REFERENCE_OPERATIONS,
  ...LIST_OPERATIONS,
  ...TABLE_OPERATIONS,
  ...PICTURE_OPERATIONS,
  ...REVISION_OPERATIONS,
  ...FILL_OPERATIONS,
  ...BLOCK_OPERATIONS,
  ...COPY_OPERATIONS,
  ...CLEAN_OPERATIONS,
} as const satisfies Readonly<Record<string, TypedOperation>>

type Declared = typeof OPERATIONS

/** The arguments of an operation, as its declaration gives them. */
export type DocumentArgs<Name extends keyof Declared> = ArgsOf<Declared[Name]>

export const DOCUMENT_OPERATIONS: OperationTable = {
  operations: OPERATIONS,
  fields: optional(FIELDS),
  example: '{"op": "replace_text", "search": "2025", "replace": "2026"}',
  guidance: usage => [
    ...Object.entries<TypedOperation>(OPERATIONS).map(
      ([name, { does }]) => `${usage(name)} ${does}.`,
    ),
    'Paragraph ids (p12, header1/p2) are those that read_file and get_file_info show; they stay the same while the draft is open. Keep tokens such as ⟦footnote 1⟧ in set_paragraph. Everything you do not name stays as it is. For a changed copy pass copy_from.',
  ],
  allows: {
    protected: 'Edit even if the document is protected',
    breakSignature: 'Edit even if that breaks a signature',
  },
  guess: opOf,
}
