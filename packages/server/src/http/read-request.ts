import {
  createJsonCount,
  fail,
  LIMITS,
  ok,
  type ParamsOf,
  type Result,
  ROUTE_DETAILS,
  type RouteDetails,
  type RouteName,
  routeInputs,
} from '@filewright/protocol'
import { z } from 'zod'
import type { Pieces } from '../store/blobs.ts'
import { describeIssue } from '../words/describe-issue.ts'
import type { RouteRequest } from './route.ts'
import { holds, refuseRoute, type Scope } from './scope.ts'

/** A request that passed the guard, unparsed. */
export interface RawRequest {
  readonly request: () => Request
  readonly scope: Scope
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  readonly header: RouteRequest<RouteName>['header']
  readonly bytes: () => Pieces
  readonly body: (details: RouteDetails) => Promise<Result<unknown>>
}

/** Whether this sender may ask; then the parts of the request, parsed as the tables describe them. */
export async function readRequest<Name extends RouteName>(
  name: Name,
  asked: RawRequest,
): Promise<Result<RouteRequest<Name>>> {
  const { scope } = asked
  const refused = refuseRoute(scope, name, asked.params.workspaceId)
  if (refused) return refused
  const params = readParams<Name>(asked.params)
  if (!params.ok) return params
  const inputs = routeInputs(name)
  const query = parse<RouteRequest<Name>['query']>(inputs.query ?? NO_QUERY, asked.query, 'query')
  if (!query.ok) return query
  const given = inputs.body ? await asked.body(ROUTE_DETAILS[name]) : ok(undefined)
  if (!given.ok) return given
  const body = parse<RouteRequest<Name>['body']>(inputs.body, given.value, 'body')
  if (!body.ok) return body
  return ok({
    get request() {
      return asked.request()
    },
    get bytes() {
      return asked.bytes()
    },
    header: asked.header,
    scope,
    params: params.value,
    query: query.value,
    body: body.value,
  })
}

const NO_QUERY = z.strictObject({})

/** An id may be any string: the lookup refuses an unknown one. */
function readParams<Name extends RouteName>(
  given: Readonly<Record<string, string>>,
): Result<ParamsOf<Name>> {
  if (given.sha256 !== undefined && !/^[0-9a-f]{64}$/.test(given.sha256))
    return fail('INVALID_ARGUMENT', 'Name a blob by the 64 hex digits of its sha256.')
  return ok(given as ParamsOf<Name>)
}

/** The type comes from the same schema; without a schema the part is unused. */
function parse<Value>(
  schema: z.ZodObject | undefined,
  value: unknown,
  where: 'query' | 'body',
): Result<Value> {
  if (!schema) return ok(value as Value)
  const parsed = schema.safeParse(value)
  if (parsed.success) return ok(parsed.data as Value)
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
  return names.length > 0 ? `; it has ${names.join(', ')}` : '; it has none'
}

/** Those of a call are checked again, more exactly; empty lists were counted twice. */
const MOST_VALUES = 2 * LIMITS.argumentValues

/** A file's text as a JSON string, every character escaped, and the rest of the call. */
const LARGE_BODY_BYTES = 6 * LIMITS.textFileBytes + LIMITS.requestBodyBytes

/** `onLarge`: the body is longer than that of other requests, and there is more of it. */
export async function readBody(
  request: Request,
  { largeBody, mostValues = MOST_VALUES }: RouteDetails,
  { scope, onLarge }: { readonly scope: Scope; readonly onLarge: () => Promise<void> },
): Promise<Result<unknown>> {
  const mayBeLarge = largeBody !== undefined && holds(scope, largeBody)
  const most = mayBeLarge ? LARGE_BODY_BYTES : LIMITS.requestBodyBytes
  const declared = Number(request.headers.get('content-length') ?? 0)
  try {
    const text =
      declared > most ? 'TOO_LONG' : await readText(request, { most, mostValues, onLarge })
    if (text === 'TOO_LONG')
      return fail(
        'TOO_LARGE',
        `A request body may have at most ${most} bytes. Send large content as a blob.`,
      )
    if (text === 'TOO_MANY')
      return fail(
        'TOO_LARGE',
        `A request body may hold at most ${mostValues} values. Send less in one request, and a long text as one string.`,
      )
    return ok(text.json === '' ? {} : JSON.parse(text.json))
  } catch (error) {
    return fail(
      'INVALID_ARGUMENT',
      `The request body is not valid JSON: ${(error as Error).message}`,
    )
  }
}

interface BodyBounds {
  readonly most: number
  readonly mostValues: number
  readonly onLarge: () => Promise<void>
}

/** Counts the bytes, whatever length was declared, and the values, before anybody builds them. */
async function readText(
  request: Request,
  { most, mostValues, onLarge }: BodyBounds,
): Promise<{ readonly json: string } | 'TOO_LONG' | 'TOO_MANY'> {
  if (!request.body) return { json: '' }
  const count = createJsonCount()
  const decoder = new TextDecoder('utf-8', { fatal: true }) // invalid UTF-8 would lose characters
  let text = ''
  let size = 0
  let isTooMany = false
  let isLarge = false
  for await (const chunk of request.body) {
    size += chunk.length
    if (size > most) return 'TOO_LONG'
    if (!isLarge && size > LIMITS.requestBodyBytes) {
      isLarge = true
      await onLarge()
    }
    if (isTooMany) continue // read to its end: a sender that is still writing would miss the answer
    const piece = decoder.decode(chunk, { stream: true })
    count.add(piece)
    isTooMany = count.lists > mostValues / 2 || count.values > mostValues
    text = isTooMany ? '' : text + piece
  }
  return isTooMany ? 'TOO_MANY' : { json: text + decoder.decode() }
}
