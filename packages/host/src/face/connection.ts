import { type Failure, type Result, ROUTES, type RouteName, routePath } from '@filewright/protocol'
import { prepareStateFolder, reachSocket, readOrMakeToken } from '@filewright/server'
import type { ModelPlace } from '../models/models.ts'
import {
  type Host,
  type HostOptions,
  type OpenedWorkspace,
  type OpenOptions,
  realFolder,
  startHost,
} from '../owner/host.ts'
import { type Fetch, NobodyThere, socketFetch } from '../owner/local-socket.ts'
import type { Config } from '../settings/config.ts'

/**
 * The way of every command to the state: through this process when it is the first, else through the owner's socket.
 * When the owner is gone the next request takes over, and goes on with what it asked.
 */
export interface Connection {
  readonly token: string
  isOwner(): boolean
  /** With the owner's token, to whoever owns the state now. */
  readonly fetch: Fetch
  openWorkspace(dir: string, options?: OpenOptions): Promise<Result<OpenedWorkspace>>
  /** For runs started here: the owner's environment may name no model, or another place for it. */
  useModel(name: string | undefined): Promise<string | undefined>
  call<Value>(route: RouteName, options?: CallOptions): Promise<Result<Value>>
  close(): Promise<void>
}

export interface CallOptions {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly body?: unknown
  readonly signal?: AbortSignal
}

const TAKEOVER_MS = 30_000 // how long we try to find an owner, or to become it: one that starts on a busy machine needs seconds

export async function connect(
  config: Config,
  hostOptions: HostOptions = {},
): Promise<Result<Connection>> {
  let host: Host | undefined
  let socket: (Fetch & { close(): void }) | undefined
  let electing: Promise<Result<null>> | undefined
  const opened = new Map<string, OpenOptions | undefined>()
  let place: ModelPlace | undefined
  const prepared = await prepareStateFolder(config.stateRoot)
  if (!prepared.ok) return prepared
  const token = await readOrMakeToken(config.stateRoot)

  /** Becomes the owner, or finds the one there is. */
  function elect(): Promise<Result<null>> {
    electing ??= findOwner().finally(() => {
      electing = undefined
    })
    return electing
  }

  async function findOwner(): Promise<Result<null>> {
    socket?.close()
    socket = undefined
    const until = performance.now() + TAKEOVER_MS
    for (;;) {
      const started = await startHost(config, hostOptions)
      if (!started.ok) return started
      if (started.value) {
        host = started.value
        for (const [dir, options] of opened) await host.openWorkspace(dir, options)
        return { ok: true, value: null }
      }
      const reached = reachSocket(config.socketPath)
      if (!reached.ok) return reached
      const found = socketFetch(reached.value)
      if ((await answers(found)) && (await reopens(found))) {
        socket = found
        return { ok: true, value: null }
      }
      found.close()
      if (performance.now() > until) return nobody(config)
      await new Promise(resolve => setTimeout(resolve, 50))
    }
  }

  async function answers(fetch: Fetch): Promise<boolean> {
    return fetch(
      new Request(`http://localhost${routePath('health')}`, {
        headers: { authorization: `Bearer ${token}` },
      }),
    ).then(
      async response => {
        await response.body?.cancel()
        return response.ok
      },
      () => false,
    )
  }

  /** Every folder this process works on, at the owner it found; false when that one leaves in this very moment. */
  async function reopens(fetch: Fetch): Promise<boolean> {
    try {
      for (const [dir, options] of opened) await openOverSocket(fetch, dir, options)
      if (place) await askOwner(fetch, 'models', place)
      return true
    } catch (error) {
      if (error instanceof NobodyThere) return false
      throw error
    }
  }

  function openOverSocket(
    fetch: Fetch,
    dir: string,
    { allowLarge }: OpenOptions = {},
  ): Promise<Result<OpenedWorkspace>> {
    return askOwner(fetch, 'workspaces', { dir, allowLarge })
  }

  async function askOwner<Value>(
    fetch: Fetch,
    what: 'workspaces' | 'models',
    asked: object,
  ): Promise<Result<Value>> {
    const response = await fetch(
      new Request(`http://localhost/api/local/${what}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(asked),
      }),
    )
    return (await response.json()) as Result<Value>
  }

  /** Sends it again to the next owner when the one asked is gone: requests carry their own ids. */
  async function send(request: Request): Promise<Response> {
    if (host) return host.fetch(request)
    const copy = request.clone()
    try {
      if (!socket) throw new NobodyThere('not connected')
      return await socket(request)
    } catch (error) {
      if (!(error instanceof NobodyThere) || request.signal.aborted) throw error
      const elected = await elect()
      if (!elected.ok) throw new NobodyThere(elected.failure.message)
      return send(copy)
    }
  }

  const first = await elect()
  if (!first.ok) return first
  return {
    ok: true,
    value: {
      token,
      isOwner: () => host !== undefined,
      fetch: send,
      async openWorkspace(dir, options) {
        const root = realFolder(dir) // as this process sees it: the owner may be in another folder
        if (!root.ok) return root
        opened.set(root.value, options)
        const result = host
          ? await host.openWorkspace(root.value, options)
          : await openOverSocket(send, root.value, options)
        if (!result.ok) opened.delete(root.value)
        return result
      },
      async useModel(name) {
        const { baseUrl, apiKey, keys, baseUrls } = config
        const model = name ?? config.model
        place = model === undefined ? undefined : { model, baseUrl, apiKey, keys, baseUrls }
        if (place && !host) await askOwner(send, 'models', place)
        return model
      },
      async call<Value>(route: RouteName, { params, query, body, signal }: CallOptions = {}) {
        if (host) {
          const answered = await host.handle(route, {
            params,
            query: query && withoutUndefined(query),
            body,
          })
          return isResponse(answered) ? toResult<Value>(answered) : (answered as Result<Value>)
        }
        const url = new URL(`http://localhost${routePath(route, params)}`)
        for (const [key, value] of Object.entries(query ?? {}))
          if (value !== undefined) url.searchParams.set(key, String(value))
        const response = await send(
          new Request(url, {
            method: ROUTES[route].method,
            headers: {
              authorization: `Bearer ${token}`,
              ...(body !== undefined && { 'content-type': 'application/json' }),
            },
            ...(body !== undefined && { body: JSON.stringify(body) }),
            ...(signal && { signal }),
          }),
        )
        return toResult<Value>(response)
      },
      async close() {
        socket?.close()
        await host?.close()
      },
    },
  }
}

/** As an address carries it: what is not given is not there. */
function withoutUndefined(query: NonNullable<CallOptions['query']>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined))
}

async function toResult<Value>(response: Response): Promise<Result<Value>> {
  const answer = (await response.json()) as Value & { errorCode: string } & Omit<Failure, 'code'>
  if (response.ok) return { ok: true, value: answer }
  const { errorCode, kind, message, errors, ...details } = answer
  return {
    ok: false,
    failure: {
      code: errorCode,
      kind,
      message,
      errors,
      details: details as Record<string, unknown>,
    },
  }
}

function nobody(config: Config): Result<never> {
  return {
    ok: false,
    failure: {
      code: 'LOCKED',
      kind: 'unavailable',
      message: `Another process owns the state folder ${config.stateRoot} and does not answer. End it, or set FILEWRIGHT_STATE to another folder.`,
      errors: [],
    },
  }
}

/** By what it has: asking for its class would make node load its fetch. */
function isResponse(answered: Result<unknown> | Response): answered is Response {
  return 'headers' in answered
}
