import { ROUTES, type Route } from '@filewright/protocol'
import { z } from 'zod'

/** The description of the HTTP API, made from the route table. */
export function toOpenApi(version: string): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [name, route] of Object.entries(ROUTES) as [string, Route][]) {
    const path = `/api${route.path.replace(/:(\w+)/g, '{$1}')}`
    paths[path] ??= {}
    paths[path][route.method.toLowerCase()] = describe(name, route)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Filewright',
      version,
      description: 'Tools that work on files and cannot wreck them.',
    },
    security: [{ token: [] }],
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    paths,
  }
}

function describe(name: string, route: Route) {
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
    parameters: [...inPath, ...inQuery],
    ...(route.body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: toSchema(route.body) } },
      },
    }),
    ...(route.rawBody && {
      requestBody: { required: true, content: { 'application/octet-stream': {} } },
    }),
    responses: {
      200: { description: 'It worked', ...responseContent(route) },
      default: { description: 'A failure: success false, errorCode, kind, message, errors' },
    },
  }
}

function responseContent(route: Route) {
  if (route.answers === 'events') return { content: { 'text/event-stream': {} } }
  if (route.answers === 'bytes') return { content: { 'application/octet-stream': {} } }
  return { content: { 'application/json': { schema: toSchema(route.answers) } } }
}

function toSchema(schema: z.ZodType): unknown {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
}
