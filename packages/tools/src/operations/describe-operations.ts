import {
  type FormatFacts,
  fieldLines,
  fieldsOfOperation,
  isTyped,
  type LooseOperation,
  needsField,
  type OperationTable,
  type TypedOperation,
  usageOf,
} from '@filewright/documents'
import {
  defineTool,
  fail,
  ok,
  type Result,
  type ServerHandler,
  similarNames,
} from '@filewright/protocol'
import { z } from 'zod'
import { bind } from '../bind.ts'
import { sentencesOf } from '../derive/describe.ts'
import { rowsOf } from '../derive/field-rows.ts'
import { toPlainSchema } from '../derive/plain-schema.ts'
import { jsonListOrNone } from '../json-list.ts'
import type { ServerContext } from '../server-context.ts'
import { wordFor } from '../synonyms.ts'
import { DESCRIBE_OPERATIONS } from './describe-name.ts'
import { listOperations } from './shorter-offers.ts'
import { toGuidance } from './table-guidance.ts'

/** For a model that is offered the operations of these formats without their fields. */
export function toDescribeTool(formats: readonly FormatFacts[]) {
  const tables = new Map(
    formats.flatMap(({ tool, editing }) =>
      tool && editing?.operations ? [[tool, editing.operations] as const] : [],
    ),
  )
  const declaration = declare([...tables.keys()])
  const handler: ServerHandler<typeof declaration, ServerContext> = async ({
    tool,
    operations,
  }) => {
    const table = tables.get(tool)!
    const described = operations?.length
      ? describeAll(table, operations)
      : ok(listOperations(table))
    if (!described.ok) return described
    const text = described.value
    const count = operations?.length || Object.keys(table.operations).length
    return ok({ fields: { tool, text }, message: `Described ${count} of ${tool}`, text })
  }
  return bind(declaration, { server: handler })
}

function declare(tools: readonly string[]) {
  return defineTool({
    name: DESCRIBE_OPERATIONS,
    label: 'Looking up operations of {tool}',
    summary: 'Get the fields of operations, or all operations of a tool in a line each.',
    guidance: 'Name every operation that you are about to send, in one call.',
    input: z.object({
      tool: z.enum(tools as [string, ...string[]]).describe('The tool that takes them'),
      operations: jsonListOrNone(z.string())
        .optional()
        .describe('Their names; without them, all in a line each'),
    }),
    output: z.object({
      tool: z.string().describe('The tool that takes them'),
      text: z.string().describe('Each operation with its fields'),
    }),
    executionLocation: 'server',
    toolsets: ['workshop'],
    writes: 'nothing',
    failures: {},
    explainsShorter: true,
  })
}

function describeAll(
  table: OperationTable,
  asked: readonly string[],
): Result<string, 'INVALID_ARGUMENT'> {
  const known = Object.keys(table.operations)
  const names = new Set<string>()
  for (const given of new Set(asked)) {
    const name = known.includes(given) ? given : wordFor(given, known)
    if (name === undefined || !known.includes(name)) return unknownOperation(given, known)
    names.add(name)
  }
  const blocks = [...names].map(name => describeOne(table, name))
  return ok([...blocks, ...notesOf(table)].join('\n'))
}

/** The first of many: each is looked for among the names of all. */
function unknownOperation(
  unknown: string,
  known: readonly string[],
): Result<never, 'INVALID_ARGUMENT'> {
  const near = similarNames(unknown, known, 3)
  const hint = near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ''
  const shown = unknown.length > SHOWN_NAME ? `${unknown.slice(0, SHOWN_NAME)}…` : unknown
  return fail(
    'INVALID_ARGUMENT',
    `There is no operation ${JSON.stringify(shown)}.${hint} The operations are ${known.join(', ')}.`,
  )
}

const SHOWN_NAME = 80

function describeOne(table: OperationTable, name: string): string {
  const own = table.operations[name]!
  return [
    `${usageOf(table, [name])}: ${own.does}`,
    ...(isTyped(own) ? describeTyped(own) : describeLoose(table, name, own)),
    ...(own.example ? [`example: ${JSON.stringify({ op: name, ...own.example })}`] : []),
  ].join('\n  ')
}

function describeTyped({ takes, understands, needs, either }: TypedOperation): readonly string[] {
  return [
    ...fieldLines({ ...takes, ...understands }),
    ...(needs ? [`At least one is needed: ${needs.join(', ')}.`] : []),
    ...(either ? [`One of these is needed: ${either.join(', ')}.`] : []),
  ]
}

function describeLoose(
  table: OperationTable,
  name: string,
  own: LooseOperation,
): readonly string[] {
  const fields = fieldsOfOperation({ op: name }, table)!
  const shape = Object.fromEntries(
    fields.flatMap(field => {
      const said = own.says?.[field]
      const known = typeof said === 'object' ? said : table.fields[field]
      if (!known) return []
      const words = typeof said === 'string' ? said : wordsOf(known)
      return [[field, withNeed(known, needsField(own, field)).describe(words)] as const]
    }),
  )
  const rows = [...rowsOf(toPlainSchema(z.object(shape)), '')]
  return rows.map(([field, type, meaning]) => `${field} ${type}: ${meaning}`.replaceAll('`', ''))
}

/** The flat schema has every field optional, since it serves all operations. */
function withNeed(field: z.ZodType, isNeeded: boolean): z.ZodType {
  return isNeeded && field instanceof z.ZodOptional ? (field.unwrap() as z.ZodType) : field
}

function wordsOf(field: z.ZodType): string {
  const inner = field instanceof z.ZodOptional ? (field.unwrap() as z.ZodType) : undefined
  return field.description ?? inner?.description ?? ''
}

/** What the guidance says about all operations: the sentences that do not say how to send one. */
function notesOf(table: OperationTable): readonly string[] {
  const names = Object.keys(table.operations)
  return sentencesOf(toGuidance(table)).filter(
    sentence =>
      !names.some(name => sentence.includes(`${name} {`) || sentence.includes(`${name},`)),
  )
}
