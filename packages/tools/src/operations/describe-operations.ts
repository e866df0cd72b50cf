import {
  type FormatFacts,
  fieldLines,
  fieldsOfOperation,
  isTyped,
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
  const names = asked.map(name => wordFor(name, known) ?? name)
  const unknown = names.find(name => !known.includes(name))
  if (unknown !== undefined) {
    const near = similarNames(unknown, known, 3)
    const hint = near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ''
    return fail(
      'INVALID_ARGUMENT',
      `There is no operation ${JSON.stringify(unknown)}.${hint} The operations are ${known.join(', ')}.`,
    )
  }
  const blocks = [...new Set(names)].map(name => describeOne(table, name))
  return ok([...blocks, ...notesOf(table)].join('\n'))
}

function describeOne(table: OperationTable, name: string): string {
  const own = table.operations[name]!
  return [
    `${usageOf(table, [name])}: ${own.does}`,
    ...(isTyped(own) ? describeTyped(name, own) : describeLoose(table, name)).map(
      line => `  ${line}`,
    ),
  ].join('\n')
}

function describeTyped(
  op: string,
  { takes, understands, needs, either, example }: TypedOperation,
): readonly string[] {
  return [
    ...fieldLines({ ...takes, ...understands }),
    ...(needs ? [`At least one is needed: ${needs.join(', ')}.`] : []),
    ...(either ? [`One of these is needed: ${either.join(', ')}.`] : []),
    `Example: ${JSON.stringify({ op, ...example })}`,
  ]
}

function describeLoose(table: OperationTable, name: string): readonly string[] {
  const fields = fieldsOfOperation({ op: name }, table)!
  const shape = Object.fromEntries(
    fields.flatMap(field => {
      const own = table.fields[field]
      return own ? [[field, own]] : []
    }),
  )
  const rows = [...rowsOf(toPlainSchema(z.object(shape)), '')]
  return rows.map(([field, type, meaning]) => `${field} ${type}: ${meaning}`.replaceAll('`', ''))
}

/** What the guidance says about all operations: the sentences that do not say how to send one. */
function notesOf(table: OperationTable): readonly string[] {
  const names = Object.keys(table.operations)
  return sentencesOf(toGuidance(table)).filter(
    sentence =>
      !names.some(name => sentence.includes(`${name} {`) || sentence.includes(`${name},`)),
  )
}
