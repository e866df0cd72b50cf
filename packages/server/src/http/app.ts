import {
  fail,
  HTTP_STATUS,
  LIMITS,
  type Result,
  ROUTES,
  type Route,
  type RouteCall,
  type RouteName,
} from '@filewright/protocol'
import { Hono } from 'hono'
import type { z } from 'zod'
import { describeIssue } from '../words/describe-issue.ts'
import type { Logger } from '../words/logger.ts'
import { type GuardOptions, guard } from './guard.ts'
import type { RouteHandler } from './route.ts'
import type { Scope } from './tokens.ts'

export interface AppOptions extends GuardOptions {
  readonly routes: Record<RouteName, RouteHandler>
  readonly logger: Logger
  /** Serves the page; without it there is only the API. */
  readonly page?: (path: string) => Promise<Response>
}

export interface App {
  fetch(request: Request): Promise<Response>
  /** The same route without HTTP around it, for who shares the process: the same checks, the same handler. */
  handle(token: string, name: RouteName, call: RouteCall): Promise<Result<unknown> | Response>
}

/** The HTTP face: the guard stands before every route under /api, known or not. */
export function createApp({ routes, logger, page, ...guarding }: AppOptions): App {
  const app = new Hono<{ Variables: { scope: Scope } }>()

  /** What every request goes through once it is known who asks. */
  async function dispatch(name: RouteName, asked: Asked): Promise<Result<unknown> | Response> {
    const route: Route = ROUTES[name]
    const { scope, params } = asked
    const isForeign = scope.kind === 'workspace' && params.workspaceId !== scope.workspaceId
    if (isForeign && params.workspaceId !== undefined)
      return fail('NOT_FOUND', `There is no workspace "${params.workspaceId}" on this server.`)
    const query = parse(route.query, asked.query, 'query')
    if (!query.ok) return query
    const given = route.rawBody || !route.body ? undefined : await asked.body(route)
    if (given && !given.ok) return given
    const body = given && parse(route.body, given.value, 'body')
    if (body && !body.ok) return body
    return routes[name]({
      get request() {
        return asked.request()
      },
      scope,
      params,
      query: query.value as Record<string, unknown>,
      body: body?.value as never,
    })
  }

  app.use('/api/*', async (context, next) => {
    const checked = await guard(context.req.raw, guarding)
    if (checked instanceof Response) return checked
    if (!checked.ok) return context.json(checked.failure, 403)
    context.set('scope', checked.value)
    return next()
  })

  for (const [name, route] of Object.entries(ROUTES) as [RouteName, Route][]) {
    if (route.method === 'HEAD') continue // hono answers HEAD through GET; `hasBlob` is told apart below
    app.on(route.method, `/api${route.path}`, async context => {
      const isHead = context.req.method === 'HEAD' && name === 'getBlob'
      const request = context.req.raw
      const result = await dispatch(isHead ? 'hasBlob' : name, {
        request: () => request,
        scope: context.get('scope'),
        params: context.req.param() as Record<string, string>,
        query: context.req.query(),
        body: asking => readBody(request, asking),
      })
      return result instanceof Response ? result : answer(result)
    })
  }

  app.all('/api/*', context =>
    answer(
      fail(
        'NOT_FOUND',
        `There is no ${context.req.method} ${context.req.path}. GET /api/openapi.json describes what there is.`,
      ),
    ),
  )
  if (page) app.get('*', context => page(context.req.path))
  app.onError((error, context) => {
    logger.error('Http.Failed', error, { method: context.req.method, path: context.req.path })
    return answer(
      fail('INTERNAL_ERROR', 'The server failed on an error of its own; its log has the cause.'),
    )
  })
  return {
    fetch: async request => app.fetch(request),
    async handle(token, name, { params = {}, query = {}, body = {} }) {
      const scope = await guarding.tokens.scopeOf(token)
      if (!scope) return fail('DENIED', 'This token is not known here.')
      try {
        return await dispatch(name, {
          request: noRequest,
          scope,
          params,
          query,
          body: async () => ({ ok: true, value: body }),
        })
      } catch (error) {
        logger.error('Route.Failed', error, { route: name })
        return fail(
          'INTERNAL_ERROR',
          'The server failed on an error of its own; its log has the cause.',
        )
      }
    },
  }
}

interface Asked {
  readonly request: () => Request
  readonly scope: Scope
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: (route: Route) => Promise<Result<unknown>>
}

/** Only routes that stream look at the request itself: the others need not wait until node has loaded its fetch. */
const noRequest = () => new Request('http://localhost/')

/** A file's text as a JSON string, every character escaped, and the rest of the call. */
const LARGE_BODY_BYTES = 6 * LIMITS.textFileBytes + LIMITS.requestBodyBytes

function answer(result: Result<unknown>): Response {
  if (result.ok) return Response.json(result.value ?? null)
  const { code, kind, message, errors, details } = result.failure
  return Response.json(
    { success: false, errorCode: code, kind, message, errors, ...details },
    { status: HTTP_STATUS[kind] },
  )
}

async function readBody(request: Request, route: Route): Promise<Result<unknown>> {
  const most = route.largeBody ? LARGE_BODY_BYTES : LIMITS.requestBodyBytes
  const declared = Number(request.headers.get('content-length') ?? 0)
  let value: unknown
  try {
    const text = declared > most ? undefined : await readText(request, most)
    if (text === undefined)
      return fail(
        'TOO_LARGE',
        `A request body may have ${most} bytes. Send large content as a blob.`,
      )
    value = text === '' ? {} : JSON.parse(text)
  } catch (error) {
    return fail(
      'INVALID_ARGUMENT',
      `The request body is not valid JSON: ${(error as Error).message}`,
    )
  }
  return { ok: true, value }
}

/** Undefined when it grows over the bound, whatever length it declared. */
async function readText(request: Request, most: number): Promise<string | undefined> {
  if (!request.body) return ''
  const decoder = new TextDecoder('utf-8', { fatal: true }) // letters that are none would be lost
  let text = ''
  let size = 0
  for await (const chunk of request.body) {
    size += chunk.length
    if (size > most) return undefined
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

function parse(schema: Route['body'], value: unknown, where: string): Result<unknown> {
  if (!schema) return { ok: true, value }
  const parsed = schema.safeParse(value)
  if (parsed.success) return { ok: true, value: parsed.data }
  const errors = parsed.error.issues.map(
    issue =>
      `${where}${issue.path.map(part => `.${String(part)}`).join('')}: ${describeIssue(issue)}${isAtTop(issue) ? fieldsOf(schema) : ''}`,
  )
  return fail('INVALID_ARGUMENT', errors.join('; '), { errors })
}

function isAtTop({ code, path }: z.core.$ZodIssue): boolean {
  return code === 'unrecognized_keys' && path.length === 0
}

function fieldsOf({ shape }: z.ZodObject): string {
  const names = Object.keys(shape)
  return names.length > 0 ? `; there are ${names.join(', ')}` : '; it has none'
}
