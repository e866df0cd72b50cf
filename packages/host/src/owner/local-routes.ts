import { type Failure, fail, type Result } from '@filewright/protocol'
import type { Caller } from '../link/caller.ts'
import type { ModelPlace } from '../models/models.ts'
import type { OutsideConfigs } from '../settings/outside-servers.ts'
import type { OpenedWorkspace } from './folders.ts'

const PREFIX = '/api/local/'

/** Requests that a later process of this machine sends to the owner, besides the common routes. */
interface LocalRoutes {
  /** Open a folder: only here does a caller name one by its path. */
  workspaces: {
    asked: { readonly dir: string; readonly allowLarge?: boolean }
    value: OpenedWorkspace
  }
  /** Learn where a model is: the environment of that process is not the owner's. */
  models: { asked: ModelPlace; value: null }
  /** Use MCP servers in a session: only here does a caller name programs to start. */
  outside: {
    asked: { readonly sessionId: string; readonly servers: OutsideConfigs }
    value: null
  }
}

type LocalName = keyof LocalRoutes

type LocalHandlers = {
  readonly [Name in LocalName]: (
    asked: LocalRoutes[Name]['asked'],
  ) => Promise<Result<LocalRoutes[Name]['value']>>
}

/** Undefined for a request that goes elsewhere. Only the owner's own token opens these. */
export function answerLocally(
  token: string,
  handlers: LocalHandlers,
): (pathname: string, request: Request) => Promise<Response> | undefined {
  return (pathname, request) => {
    if (pathname === `${PREFIX}workspaces`) return answer(request, token, handlers.workspaces)
    if (pathname === `${PREFIX}models`) return answer(request, token, handlers.models)
    if (pathname === `${PREFIX}outside`) return answer(request, token, handlers.outside)
    return undefined
  }
}

export async function askLocally<Name extends LocalName>(
  { fetch, token }: Pick<Caller, 'fetch' | 'token'>,
  name: Name,
  asked: LocalRoutes[Name]['asked'],
): Promise<Result<LocalRoutes[Name]['value']>> {
  const response = await fetch(
    new Request(`http://localhost${PREFIX}${name}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(asked),
    }),
  )
  return (await response.json()) as Result<LocalRoutes[Name]['value']>
}

async function answer<Asked>(
  request: Request,
  token: string,
  work: (asked: Asked) => Promise<Result<unknown>>,
): Promise<Response> {
  if (request.headers.get('authorization') !== `Bearer ${token}`)
    return refuse(401, fail('DENIED', 'A token is required.'))
  if (request.method !== 'POST') return refuse(404, fail('NOT_FOUND', 'Send a POST request.'))
  const asked: unknown = await request.json().catch(() => undefined)
  if (typeof asked !== 'object' || asked === null || Array.isArray(asked))
    return refuse(400, fail('INVALID_ARGUMENT', 'The body must be one JSON object.'))
  return Response.json(await work(asked as Asked))
}

function refuse(status: number, { failure }: { readonly failure: Failure }): Response {
  const { code: errorCode, kind, message, errors } = failure
  return Response.json({ success: false, errorCode, kind, message, errors }, { status })
}
