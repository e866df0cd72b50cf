import {
  type AnswerOf,
  fail,
  type JsonRoute,
  ok,
  type RequestOptions,
  type Result,
  ROUTES,
  type RouteArguments,
  type RouteName,
  routeMethod,
  routeTemplate,
} from '@filewright/protocol'
import { Hono } from 'hono'
import { SessionHeld, StoreAway } from '../store/store-away.ts'
import type { Logger } from '../words/logger.ts'
import type { Forward } from './forward.ts'
import { type Asker, type GuardOptions, guard, toAnswer } from './guard.ts'
import { createLargeBodies } from './large-bodies.ts'
import { type RawRequest, readBody, readRequest } from './read-request.ts'
import type { JsonRoutes, RouteRequest, Routes } from './route.ts'
import { reaches } from './scope.ts'
import { watchTokens } from './watch-tokens.ts'

export interface AppOptions extends GuardOptions {
  readonly routes: Routes
  readonly logger: Logger
  /** Routes of a face: behind the guard, like the API. */
  readonly mounts?: readonly Mount[]
  /** Where several instances serve the same stores. */
  readonly forward?: Forward
  /** Whether a load balancer should send requests here. */
  readonly isReady?: () => boolean
  /** Told of each answer of a route. */
  readonly onAnswer?: OnAnswer | undefined
  /** Serves the page; without it there is only the API. */
  readonly page?: (path: string) => Promise<Response>
}

export type OnAnswer = (
  route: RouteName,
  answer: Result<unknown> | Response,
  milliseconds: number,
) => void

/** An address next to the API, for all methods. */
export interface Mount {
  /** `/mcp` covers itself and everything below. */
  readonly path: string
  /** What follows the path names a workspace: among instances, its home answers. */
  readonly isOfWorkspace?: boolean
  handle(request: Request, asker: Asker): Promise<Response>
}

export interface App {
  fetch(request: Request): Promise<Response>
  /** Runs a route without HTTP, for callers in the same process: same checks, same handler. */
  handle<Name extends JsonRoute>(
    token: string,
    name: Name,
    ...[call]: RouteArguments<Name>
  ): Promise<Result<AnswerOf<Name>>>
}

type GuardedHono = Hono<{ Variables: { asker: Asker } }>

/** The HTTP face: the guard runs before every route under /api, known or not. */
export function createApp(options: AppOptions): App {
  const { mounts = [], page, logger } = options
  const http: GuardedHono = new Hono()
  mountProbes(http, options.isReady ?? (() => true))
  for (const path of ['/api', ...mounts.map(mount => mount.path)]) guardPath(http, path, options)
  const ofWorkspaces = mounts.filter(({ isOfWorkspace }) => isOfWorkspace).map(({ path }) => path)
  if (options.forward)
    for (const path of ['/api/workspaces', ...ofWorkspaces]) passOn(http, path, options.forward)
  for (const mount of mounts)
    http.all(`${mount.path}/*`, ({ req, get }) => mount.handle(req.raw, get('asker')))
  mountRoutes(http, options)
  http.all('/api/*', ({ req }) => answer(noRoute(req.method, req.path)))
  if (page) http.get('*', ({ req }) => page(req.path))
  http.onError((error, { req }) => {
    logger.error('Http.Failed', error, { method: req.method, path: req.path })
    return answer(toFailure(error))
  })
  return { fetch: async request => http.fetch(request), handle: handleDirectly(options) }
}

/** For load balancers, which have no token and call by address: nothing is said but whether. */
function mountProbes(http: GuardedHono, isReady: () => boolean): void {
  const say = (status: 200 | 503, text: string) =>
    new Response(`${text}\n`, { status, headers: { 'cache-control': 'no-store' } })
  http.get(PROBES.health, () => say(200, 'up'))
  http.get(PROBES.ready, () => (isReady() ? say(200, 'ready') : say(503, 'not ready')))
}

export const PROBES = { health: '/health', ready: '/ready' } as const

function guardPath(http: GuardedHono, path: string, guarding: GuardOptions): void {
  const watched = watchTokens(guarding.tokens)
  http.use(`${path}/*`, async (context, next) => {
    const asker = await guard(context.req.raw, guarding)
    if (asker instanceof Response) return asker
    context.set('asker', asker)
    await next()
    const { res } = context
    if (asker.scope.isOwner || !isEvents(res)) return
    context.res = undefined
    context.res = watched.whileValid(asker.token, res)
  })
}

function isEvents({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('text/event-stream') === true
}

function passOn(http: GuardedHono, path: string, forward: Forward): void {
  http.use(`${path}/:workspaceId/*`, async ({ req, get }, next) => {
    const workspaceId = req.param('workspaceId')
    // A workspace out of reach is not opened for whoever asks: the route says that there is none.
    if (workspaceId === undefined || !reaches(get('asker').scope, workspaceId)) return next()
    return (await forward(req.raw, workspaceId)) ?? next()
  })
}

type AnyHandlers = {
  readonly [Name in RouteName]: (request: RouteRequest<Name>) => Promise<Result<unknown> | Response>
}

function mountRoutes(
  http: GuardedHono,
  { routes, onAnswer }: Pick<AppOptions, 'onAnswer'> & { readonly routes: AnyHandlers },
): void {
  const largeBodies = createLargeBodies()
  for (const each of Object.keys(ROUTES) as RouteName[]) {
    if (routeMethod(each) === 'HEAD') continue // hono answers HEAD through GET; `hasBlob` is distinguished below
    http.on(routeMethod(each), `/api${routeTemplate(each)}`, async ({ req, get }) => {
      const name = req.method === 'HEAD' && each === 'getBlob' ? 'hasBlob' : each
      const request = req.raw
      const since = onAnswer && performance.now()
      const { scope } = get('asker')
      let isLarge = false
      const onLarge = async () => {
        await largeBodies.take(scope.tokenId)
        isLarge = true
      }
      const answered = await dispatch(name, routes, {
        request: () => request,
        scope,
        params: req.param(),
        query: onceEach(req.queries()),
        header: name => request.headers.get(name),
        bytes: () => request.body ?? NO_BYTES,
        body: details => readBody(request, details, { scope, onLarge }),
      }).finally(() => isLarge && largeBodies.release(scope.tokenId))
      if (since !== undefined) onAnswer?.(name, answered, performance.now() - since)
      return answered instanceof Response ? answered : answer(answered)
    })
  }
}

/** A field that is given twice stays a list, which no schema takes: one of the two would be ignored. */
function onceEach(given: Readonly<Record<string, readonly string[]>>): RawRequest['query'] {
  return Object.fromEntries(
    Object.entries(given).map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  )
}

/** Without an HTTP request there is no stream of events: only routes that answer with JSON. */
function handleDirectly({ routes, tokens, rates, logger, onAnswer }: AppOptions): App['handle'] {
  const handlers: JsonRoutes = routes
  return async (token, name, call: DirectCall = {}) => {
    const { params = {}, query, body = {}, headers, bytes = NO_BYTES } = call
    try {
      const found = await tokens.scopeOf(token)
      if (!found.ok) return found
      const tooOften = rates.take(found.value)
      if (tooOften) return { ok: false, failure: tooOften }
      const read = await readRequest(name, {
        request: noRequest,
        scope: found.value,
        params,
        query: query ? withoutUndefined(query) : {},
        header: each => headers?.[each] ?? null,
        bytes: () => bytes,
        body: async () => ok(body),
      })
      if (!onAnswer || !read.ok) return read.ok ? await handlers[name](read.value) : read
      const since = performance.now()
      const answered = await handlers[name](read.value)
      onAnswer(name, answered, performance.now() - since)
      return answered
    } catch (error) {
      logger.error('Route.Failed', error, { route: name })
      return toFailure(error)
    }
  }
}

const NO_BYTES = new Uint8Array(0)

/** In URL form: undefined values are omitted. */
function withoutUndefined(query: RawRequest['query']): RawRequest['query'] {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined))
}

interface DirectCall extends RequestOptions {
  readonly params?: RawRequest['params']
  readonly query?: RawRequest['query']
  readonly body?: unknown
}

async function dispatch<Name extends RouteName>(
  name: Name,
  handlers: AnyHandlers,
  asked: RawRequest,
) {
  const read = await readRequest(name, asked)
  return read.ok ? handlers[name](read.value) : read
}

/** Only streaming routes read the request itself; the others need not wait until node has loaded its fetch. */
const noRequest = () => new Request('http://localhost/')

function answer(result: Result<unknown>): Response {
  if (result.ok) return Response.json(result.value ?? null)
  return toAnswer(result.failure)
}

function noRoute(method: string, path: string): Result<never> {
  return fail('NOT_FOUND', `There is no ${method} ${path}. GET /api/openapi.json lists the routes.`)
}

function toFailure(error: unknown): Result<never> {
  if (error instanceof SessionHeld) return fail('LOCKED', error.message, { kind: 'unavailable' })
  if (error instanceof StoreAway)
    return fail(
      'STORE_AWAY',
      'The server could not reach its database or bucket. What was asked may have happened or not: look, and try again.',
      { kind: 'unavailable' },
    )
  return fail('INTERNAL_ERROR', 'The server failed with an internal error; its log has the cause.')
}
