import {
  answerSchemas,
  eventSchemas,
  namedSchemas,
  type OpenApiDocument,
  ROUTE_DETAILS,
  ROUTES,
  type RouteDetails,
  type RouteName,
  routeInputs,
  routeMethod,
  routeTemplate,
} from '@filewright/protocol'
import { z } from 'zod'
import { referTo } from './named-schemas.ts'

/** The description of the HTTP API, generated from the route tables. */
export function toOpenApi(version: string): OpenApiDocument {
  const named = Object.entries(namedSchemas()).map(([name, schema]) => [name, toSchema(schema)])
  const { refer, components } = referTo(Object.fromEntries(named))
  const answers: Answers = { ...answerSchemas(), ...eventSchemas() }
  const paths: Record<string, Record<string, unknown>> = {}
  for (const name of Object.keys(ROUTES) as RouteName[]) {
    const path = `/api${routeTemplate(name).replace(/:(\w+)/g, '{$1}')}`
    paths[path] ??= {}
    const answered = answers[name]
    const shown = answered && refer(toSchema(answered))
    paths[path][routeMethod(name).toLowerCase()] = describe(name, shown)
  }
  return {
    openapi: '3.1.0',
    info: describeProduct(version),
    servers: SERVERS,
    security: [{ token: [] }],
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: components,
      responses: FAILURES,
    },
    paths,
  }
}

const describeProduct = (version: string) => ({
  title: 'Filewright',
  version,
  description: 'Tools that work on files and cannot wreck them.',
  license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
})

const SERVERS = [
  { url: '/', description: 'The server that this description came from' },
  {
    url: 'http://127.0.0.1:{port}',
    description: '`filewright serve` on this machine',
    variables: { port: { default: '4680', description: 'The first free one from 4680 on' } },
  },
]

const FAILED = {
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
}

const FAILURES = {
  NoToken: { description: 'No token, or one that the server does not know', ...FAILED },
  Refused: {
    description:
      'It was not done, and `kind` says what to do next: invalid 400, denied 403, missing 404, conflict 409, limit 413, unsupported 415',
    ...FAILED,
  },
  Failed: {
    description: 'Internal: report it (500). Unavailable: wait, then retry (503)',
    ...FAILED,
  },
}

const WORKED = {
  json: 'It worked',
  bytes: 'The bytes',
  events: 'Server-sent events; the schema is that of the JSON in the `data` of each',
}

type Answers = Readonly<Partial<Record<RouteName, z.ZodType>>>

function describe(name: RouteName, answered: unknown) {
  const { summary, right, orRight, isEverywhere }: RouteDetails = ROUTE_DETAILS[name]
  return {
    operationId: name,
    summary,
    'x-right': orRight ? `${right} or ${orRight}` : right,
    ...(isEverywhere && { 'x-workspaces': 'all' }),
    parameters: [...pathParameters(name), ...queryParameters(name), ...headerParameters(name)],
    ...describeBody(name),
    responses: {
      200: {
        description: WORKED[ROUTE_DETAILS[name].answers ?? 'json'],
        ...responseContent(name, answered),
      },
      ...(name === 'getBlob' && PARTS),
      401: { $ref: '#/components/responses/NoToken' },
      ...(name === 'hasBlob' && MISSING),
      '4XX': { $ref: '#/components/responses/Refused' },
      '5XX': { $ref: '#/components/responses/Failed' },
    },
  }
}

function pathParameters(name: RouteName) {
  return [...routeTemplate(name).matchAll(/:(\w+)/g)].map(([, parameter]) => ({
    name: parameter,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
}

function queryParameters(name: RouteName) {
  const shape: Readonly<Record<string, z.ZodType>> = routeInputs(name).query?.shape ?? {}
  return Object.entries(shape).map(([parameter, schema]) => ({
    name: parameter,
    in: 'query',
    required: !schema.safeParse(undefined).success,
    schema: toSchema(schema),
  }))
}

function describeBody(name: RouteName) {
  const { body } = routeInputs(name)
  const { rawBody }: RouteDetails = ROUTE_DETAILS[name]
  if (rawBody)
    return { requestBody: { required: true, content: { 'application/octet-stream': {} } } }
  if (!body) return {}
  return {
    requestBody: {
      required: !body.safeParse({}).success,
      content: { 'application/json': { schema: toSchema(body) } },
    },
  }
}

/** The headers a request may carry. */
const HEADERS: Readonly<Partial<Record<RouteName, readonly string[]>>> = {
  events: ['Last-Event-ID'],
  getBlob: ['Range'],
  putBlob: ['Upload-Offset', 'Upload-Complete'],
}

function headerParameters(name: RouteName) {
  const schema = { type: 'string' }
  return (HEADERS[name] ?? []).map(header => ({
    name: header,
    in: 'header',
    required: false,
    schema,
  }))
}

const PARTS = {
  206: { description: 'The requested range', content: { 'application/octet-stream': {} } },
  416: { description: 'The range starts past the end' },
}

const MISSING = {
  404: {
    description: 'Some of the bytes are missing',
    headers: {
      'Upload-Offset': { description: 'How many bytes arrived', schema: { type: 'integer' } },
    },
  },
}

function responseContent(name: RouteName, answered: unknown) {
  const { answers } = ROUTE_DETAILS[name]
  if (routeMethod(name) === 'HEAD') return {}
  if (answers === 'events') return { content: { 'text/event-stream': { schema: answered } } }
  if (answers === 'bytes') return { content: { 'application/octet-stream': {} } }
  return { content: { 'application/json': { schema: answered ?? {} } } }
}

function toSchema(schema: z.ZodType): unknown {
  const { $schema, ...described } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return described
}
