import {
  answerSchemas,
  eventSchemas,
  failureSchema,
  ROUTES,
  type Route,
} from '@filewright/protocol'
import { z } from 'zod'

/** The description of the HTTP API, made from the route table. */
export function toOpenApi(version: string): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {}
  const answers: Readonly<Record<string, z.ZodType>> = { ...answerSchemas(), ...eventSchemas() }
  for (const [name, route] of Object.entries(ROUTES) as [string, Route][]) {
    const path = `/api${route.path.replace(/:(\w+)/g, '{$1}')}`
    paths[path] ??= {}
    paths[path][route.method.toLowerCase()] = describe(name, route, answers[name])
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Filewright',
      version,
      description: 'Tools that work on files and cannot wreck them.',
    },
    security: [{ token: [] }],
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: { Failure: toSchema(failureSchema()) },
    },
    paths,
  }
}

function describe(name: string, route: Route, answered: z.ZodType | undefined) {
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map(([, parameter]) => ({
    name: parameter,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const inQuery = Object.entries(route.query?.shape ?? {}).map(([parameter, schema]) => ({
    name: parameter,
    in: 'query',
    required: !(schema as z.ZodType).safeParse(undefined).success,
    schema: toSchema(schema as z.ZodType),
  }))
  return {
    operationId: name,
    summary: route.summary,
    parameters: [...inPath, ...inQuery, ...(HEADERS[name] ?? []).map(toHeader)],
    ...(route.body && {
      requestBody: {
        required: !route.body.safeParse({}).success,
        content: { 'application/json': { schema: toSchema(route.body) } },
      },
    }),
    ...(route.rawBody && {
      requestBody: { required: true, content: { 'application/octet-stream': {} } },
    }),
    responses: {
      200: { description: 'It worked', ...responseContent(route, answered) },
      ...(name === 'getBlob' && PARTS),
      ...(name === 'hasBlob' && MISSING),
      default: {
        description:
          'A failure: success false, errorCode, kind, message, errors, and what helps with the next try',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
      },
    },
  }
}

/** What a request may say beside its address and its body. */
const HEADERS: Readonly<Record<string, readonly string[]>> = {
  events: ['Last-Event-ID'],
  getBlob: ['Range'],
  putBlob: ['Upload-Offset', 'Upload-Complete'],
}

function toHeader(name: string) {
  return { name, in: 'header', required: false, schema: { type: 'string' } }
}

const PARTS = {
  206: { description: 'The range that was asked for', content: { 'application/octet-stream': {} } },
  416: { description: 'The range begins behind the end' },
}

const MISSING = {
  404: {
    description: 'Not all of them are stored',
    headers: {
      'Upload-Offset': { description: 'How many bytes arrived', schema: { type: 'integer' } },
    },
  },
}

function responseContent(route: Route, answered: z.ZodType | undefined) {
  if (route.method === 'HEAD') return {}
  if (route.answers === 'events') {
    const data = toSchema(answered ?? z.unknown())
    return {
      content: { 'text/event-stream': { schema: { type: 'string' }, 'x-event-data': data } },
    }
  }
  if (route.answers === 'bytes') return { content: { 'application/octet-stream': {} } }
  return { content: { 'application/json': { schema: toSchema(answered ?? z.unknown()) } } }
}

function toSchema(schema: z.ZodType): unknown {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
}
