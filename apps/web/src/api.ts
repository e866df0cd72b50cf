import {
  type CallRoute,
  createRouteClient,
  type Failure,
  type RouteClient,
  type RouteName,
  routeMethod,
} from '@filewright/protocol'

/** The routes of the server, as this page asks them. `call` never throws: a server that is gone is a failure like others. */
export type Api = Pick<RouteClient, 'call' | 'listen' | 'open'> & {
  /** Bytes that the store keeps; undefined where they are gone or nobody answers. */
  readonly bytes: (workspaceId: string, sha256: string) => Promise<Blob | undefined>
}

export function createApi(token: string): Api {
  const routes = createRouteClient({ fetch: fetchKnown, origin: location.origin, token })
  const call: CallRoute = async (name, ...asked) => {
    try {
      return await routes.call(name, ...asked)
    } catch (error) {
      return { ok: false, failure: toFailure(name, error) }
    }
  }
  return {
    call,
    listen: routes.listen,
    open: routes.open,
    async bytes(workspaceId, sha256) {
      const asked = routes.open('getBlob', { params: { workspaceId, sha256 } })
      const response = await asked.catch(() => undefined)
      return response?.ok ? response.blob() : undefined
    },
  }
}

/** The server does not know this token, whatever was asked. */
class TokenRefused extends Error {}

async function fetchKnown(request: Request): Promise<Response> {
  const response = await fetch(request)
  if (response.status === 401) throw new TokenRefused('The server does not know this token.')
  return response
}

const GONE = 'The server does not answer. Start it again with "npm start" or "filewright serve".'
/** Stands there until the next try, when the server may be back for long. */
const UNANSWERED =
  'The server did not answer, so this may not have been done. Try again once it does.'

function toFailure(name: RouteName, error: unknown): Failure {
  if (error instanceof TokenRefused) return failure('TOKEN_REFUSED', error.message)
  return failure('SERVER_GONE', routeMethod(name) === 'GET' ? GONE : UNANSWERED)
}

function failure(code: string, message: string): Failure {
  return { code, kind: 'unavailable', message, errors: [message] }
}
