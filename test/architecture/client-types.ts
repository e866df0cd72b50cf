import { isForProducts, routeFields } from '@filewright/protocol'
import { toOpenApi } from '../../packages/server/src/http/openapi.ts'

/** As the OpenAPI document writes it: as much of JSON Schema as our tables use. */
interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>
}

interface Operation {
  readonly operationId: Parameters<typeof routeFields>[0]
  readonly summary: string
  readonly parameters: readonly Parameter[]
  readonly requestBody?: Content & { readonly required: boolean }
  readonly responses: Readonly<Record<string, Content>>
}

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly schema: Schema
}

/** The routes and their types for the client package, which depends on no package of ours. */
export function toClientTypes(): string {
  const document = toOpenApi('')
  const { schemas } = document.components as { schemas: Readonly<Record<string, Schema>> }
  const operations = Object.entries(document.paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods as Record<string, Operation>).map(([method, operation]) => ({
        route: `${method.toUpperCase()} ${path}`,
        operation,
      })),
    )
    .filter(({ operation }) => isForProducts(operation.operationId))
  return [
    '// Written by scripts/generate.mjs from the table of routes.',
    `export const ROUTES = {\n${operations.map(toRoute).join('\n')}\n} as const`,
    `export interface RouteTypes {\n${operations.map(toRouteType).join('\n')}\n}`,
    ...Object.entries(schemas).map(([name, schema]) => toNamed(name, schema)),
  ]
    .join('\n\n')
    .concat('\n')
}

type Described = { readonly route: string; readonly operation: Operation }

function toRoute({ route, operation }: Described): string {
  const { query } = routeFields(operation.operationId)
  const named = query.length > 0 ? `, query: ${JSON.stringify(query)}` : ''
  const body = takesBytes(operation) ? `, takes: 'bytes'` : ''
  return `  ${operation.operationId}: { route: ${JSON.stringify(route)}, answers: '${kindOf(operation)}'${named}${body} },`
}

function toRouteType({ operation }: Described): string {
  const { operationId, summary } = operation
  const parameters = operation.parameters.filter(each => each.in !== 'header')
  const fields = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]))
  const required = parameters.filter(each => each.required).map(({ name }) => name)
  const body = operation.requestBody?.content?.['application/json']?.schema
  const input: Schema = {
    properties: { ...fields, ...body?.properties },
    required: [...required, ...(body?.required ?? [])],
  }
  const answer = Object.values(operation.responses[200]?.content ?? {})[0]?.schema
  const bytes = takesBytes(operation) ? ' & { bytes: Uint8Array | ArrayBuffer | Blob }' : ''
  const given = `${toType(input, 2)}${bytes}`
  const answered = kindOf(operation) === 'bytes' ? 'Uint8Array' : toType(answer ?? {}, 2)
  return `  /** ${summary}. */\n  ${operationId}: { given: ${given}; answer: ${answered} }`
}

function kindOf({ responses }: Operation): 'json' | 'bytes' | 'events' {
  const type = Object.keys(responses[200]?.content ?? {})[0]
  if (type === 'text/event-stream') return 'events'
  return type === 'application/json' ? 'json' : 'bytes'
}

function takesBytes({ requestBody }: Operation): boolean {
  return requestBody?.content !== undefined && 'application/octet-stream' in requestBody.content
}

function toNamed(name: string, schema: Schema): string {
  if (!schema.properties) return `export type ${name} = ${toType(schema, 0)}`
  const open = OPEN.includes(name) ? '  [field: string]: unknown\n' : ''
  return `export interface ${name} ${toType(schema, 0).replace(/\}$/, `${open}}`)}`
}

/** A tool adds fields of its own. */
const OPEN = ['Envelope', 'Failure']

function toType(schema: Schema, depth: number): string {
  if (schema.$ref) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map(each => JSON.stringify(each)).join(' | ')
  const several = schema.anyOf ?? schema.oneOf
  if (several) return [...new Set(several.map(each => toType(each, depth)))].join(' | ')
  if (schema.properties) return toObject(schema, depth)
  if (schema.items) return `Array<${toType(schema.items, depth)}>`
  if (schema.type === 'object' || typeof schema.additionalProperties === 'object')
    return `Record<string, ${toType(Object(schema.additionalProperties), depth)}>`
  return PLAIN[schema.type ?? ''] ?? 'unknown'
}

const PLAIN: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
}

function toObject({ properties = {}, required = [] }: Schema, depth: number): string {
  const pad = ' '.repeat(depth + 2)
  const lines = Object.entries(properties).map(([name, each]) => {
    const mark = required.includes(name) ? '' : '?'
    const type = toType(each, depth + 2)
    return `${pad}${name}${mark}: ${type}${mark && type !== 'unknown' ? ' | undefined' : ''}`
  })
  return lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n${' '.repeat(depth)}}`
}
