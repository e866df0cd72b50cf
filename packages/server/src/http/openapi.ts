import {
  answerSchemas,
  eventSchemas,
  failureSchema,
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

/** The description of the HTTP API, generated from the route tables. */
export function toOpenApi(version: string): OpenApiDocument {
  const paths: Record<string, Record<string, unknown>> = {}
  const answers: Answers = { ...answerSchemas(), ...eventSchemas() }
  for (const name of Object.keys(ROUTES) as RouteName[]) {
    const path = `/api${routeTemplate(name).replace(/:(\w+)/g, '{$1}')}`
    paths[path] ??= {}
    paths[path][routeMethod(name).toLowerCase()] = describe(name, answers[name])
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

type Answers = Readonly<Partial<Record<RouteName, z.ZodType>>>

function describe(name: RouteName, answered: z.ZodType | undefined) {
  return {
    operationId: name,
    summary: ROUTE_DETAILS[name].summary,
    parameters: [...pathParameters(name), ...queryParameters(name), ...headerParameters(name)],
    ...describeBody(name),
    responses: {
      200: { description: 'It worked', ...responseContent(name, answered) },
      ...(name === 'getBlob' && PARTS),
      ...(name === 'hasBlob' && MISSING),
      default: {
        description:
          'A failure: success false, errorCode, kind, message, errors, and hints for the next try',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
      },
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

function responseContent(name: RouteName, answered: z.ZodType | undefined) {
  const { answers } = ROUTE_DETAILS[name]
  if (routeMethod(name) === 'HEAD') return {}
  if (answers === 'events') {
    const data = toSchema(answered ?? z.unknown())
    return {
      content: { 'text/event-stream': { schema: { type: 'string' }, 'x-event-data': data } },
    }
  }
  if (answers === 'bytes') return { content: { 'application/octet-stream': {} } }
  return { content: { 'application/json': { schema: toSchema(answered ?? z.unknown()) } } }
}

function toSchema(schema: z.ZodType): unknown {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
}
