import {
  type FormatFacts,
  fieldsOfOperation,
  type OperationTable,
  usageOf,
} from '@filewright/documents'
import { defineTool } from '@filewright/protocol'
import { z } from 'zod'
import { editedFields } from '../file-fields.ts'
import { IN_THE_DRAFT } from '../instead.ts'
import { jsonListOrNone } from '../json-list.ts'
import { lackedOperations } from './lacks.ts'
import { meantOperations } from './meant.ts'
import { shorterOffers } from './shorter-offers.ts'
import { toGuidance } from './table-guidance.ts'

export type OperationsTool = ReturnType<typeof declareTool>

/** `<id>_operations`, derived entirely from the operations that a format declares. */
export function declareTool(facts: FormatFacts, table: OperationTable) {
  const endings = facts.endings.map(ending => ending.slice(1)).join(', ')
  const input = inputOf(table, jsonListOrNone(toOperation(table)))
  return defineTool({
    name: `${facts.id}_operations`,
    label: 'Editing {path}',
    summary: `Apply operations to ${facts.words.file} (${endings}), in the draft, all or none.`,
    guidance: toGuidance(table),
    input,
    shorter: shorterOffers(table, operations => inputOf(table, operations)),
    output: z.looseObject(editedFields),
    executionLocation: 'client',
    toolsets: ['workshop'],
    writes: 'draft',
    failures: {},
    fieldsOf: entry => fieldsOfOperation(entry, table),
    usageOf: entry =>
      fieldsOfOperation(entry, table) ? usageOf(table, [String(entry.op)]) : undefined,
    instead: [...IN_THE_DRAFT, ...(table.instead ?? [])],
    meant: given => meantOperations(given, table),
    lacks: given => lackedOperations(given, table),
  })
}

function inputOf<List extends z.ZodType>(table: OperationTable, operations: List) {
  return z
    .object({
      path: z.string().describe('File path'),
      create_if_missing: z.boolean().optional().describe("Create the file if it doesn't exist"),
      create_new: z.boolean().optional().describe('Alias of create_if_missing'),
      copy_from: z.string().optional().describe('Begin with a copy of this file'),
      operations: operations.describe('In order, all or none; empty only to create or copy a file'),
      list_changes: z.boolean().optional().describe('Also list each change with its id'),
      allow_protected: z
        .boolean()
        .optional()
        .describe(table.allows?.protected ?? ''),
      allow_break_signature: z
        .boolean()
        .optional()
        .describe(table.allows?.breakSignature ?? ''),
    })
    .omit(unneeded(table))
}

/** One flat object for all operations: models send it more reliably than a choice of shapes. */
function toOperation({ operations, fields }: OperationTable) {
  const names = Object.keys(operations) as [string, ...string[]]
  return z.looseObject({ op: z.enum(names).describe('What to do'), ...fields })
}

/** For a format that needs no permissions; the arguments are optional, so the types stay the same without them. */
function unneeded({ allows = {} }: OperationTable): Record<never, true> {
  return {
    ...(!allows.protected && { allow_protected: true }),
    ...(!allows.breakSignature && { allow_break_signature: true }),
  }
}
