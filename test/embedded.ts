import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Client, openDiskWorkspace, startClient, type Workspace } from '@filewright/client'
import { loadFormat } from '@filewright/documents'
import { createInProcessEngine, type Engine } from '@filewright/engine'
import type { LoopLimits, Model } from '@filewright/loop'
import {
  fail,
  type Result,
  type RouteName,
  routeMethod,
  routePath,
  unwrap,
} from '@filewright/protocol'
import {
  createLogger,
  createServer,
  openMemoryStores,
  type Server,
  type Stores,
} from '@filewright/server'
import { onTestFinished } from 'vitest'

export const TOKEN = 'test-token'

/** Server and client in this process, on a real folder: the product without its command line. */
export interface Embedded {
  readonly dir: string
  readonly stateRoot: string
  readonly server: Server
  readonly stores: Stores
  readonly workspaceId: string
  readonly sessionId: string
  /** Every line of the structured log, parsed. */
  readonly logged: readonly Logged[]
  /** One tool call in the session; `approve: 'all'` is `--yes`. */
  call(tool: string, args: unknown, options?: CallOptions): Promise<Answer>
  /** Any route of the API, with the owner's token. */
  ask<Value = Answer>(
    route: RouteName,
    options?: AskOptions,
  ): Promise<{ status: number; value: Value }>
  read(path: string): string
  write(path: string, content: string | Uint8Array): void
  /** The client goes away; `attach` brings it back. */
  detach(): Promise<void>
  attach(): Promise<void>
  newSession(): Promise<string>
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever is answered
export type Answer = any

export interface Logged {
  readonly event: string
  readonly [field: string]: unknown
}

export interface CallOptions {
  readonly approve?: 'ask' | 'rules' | 'all'
  readonly toolCallId?: string
  readonly sessionId?: string
}

export interface AskOptions {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
}

export interface EmbeddedOptions {
  readonly model?: Model
  /** In memory unless given. */
  readonly stores?: Stores
  /** Instead of the folder on disk. */
  readonly workspace?: Workspace
  readonly limits?: Partial<LoopLimits>
  /** Around the engine that works on text and office files alike. */
  readonly wrapEngine?: (engine: Engine) => Engine
  /** The client's clock. */
  readonly now?: () => Date
  /** Server and client ask each other by function calls, as in the command; over their HTTP faces otherwise. */
  readonly isDirect?: boolean
}

export async function embedded(
  files: Readonly<Record<string, string | Uint8Array>> = {},
  options: EmbeddedOptions = {},
): Promise<Embedded> {
  const root = mkdtempSync(join(tmpdir(), 'filewright-embedded-'))
  const dir = join(root, 'workspace')
  const stateRoot = join(root, 'state')
  mkdirSync(dir)
  const write = (path: string, content: string | Uint8Array) => {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), content)
  }
  for (const [path, content] of Object.entries(files)) write(path, content)

  const logged: Logged[] = []
  const stores = options.stores ?? (await openMemoryStores())
  const server = await createServer({
    stores,
    logger: createLogger(
      line => logged.push(JSON.parse(line)),
      () => new Date(),
    ),
    version: 'test',
    ownerToken: TOKEN,
    limits: options.limits,
    resolveModel: async (): Promise<Result<Model>> =>
      options.model
        ? { ok: true, value: options.model }
        : fail('NOT_FOUND', 'No model in this test.'),
  })
  const inProcess = createInProcessEngine({ loadFormat })
  const engine = options.wrapEngine?.(inProcess) ?? inProcess
  let client: Client | undefined
  const attach = async () => {
    client = await startClient({
      workspace: options.workspace ?? unwrap(await openDiskWorkspace(dir)),
      stateRoot,
      engines: { trusted: engine, hostile: engine },
      fetch: server.fetch,
      ...(options.isDirect && {
        server: {
          handle: (name, ...call) => server.handle(TOKEN, name, ...call),
          attach: (...given) => server.attach(TOKEN, ...given),
        },
      }),
      origin: 'http://localhost',
      token: TOKEN,
      key: 'test',
      name: 'workspace',
      now: options.now,
      onError: error => logged.push({ event: 'client error', error: String(error) }),
    })
  }
  const detach = async () => {
    await client?.close()
    client = undefined
  }
  await attach()
  onTestFinished(async () => {
    await detach()
    await server.close()
    await stores.close()
    rmSync(root, { recursive: true, force: true, maxRetries: 20 })
  })
  const { workspaceId } = client!

  const ask: Embedded['ask'] = async (route, { params, query, body } = {}) => {
    const url = new URL(`http://localhost${routePath(route, { workspaceId, ...params })}`)
    for (const [key, value] of Object.entries(query ?? {})) url.searchParams.set(key, value)
    const method = routeMethod(route)
    const sends = method === 'POST' || method === 'PUT'
    const response = await server.fetch(
      new Request(url, {
        method,
        headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
        ...(sends && { body: JSON.stringify(body ?? {}) }),
      }),
    )
    return { status: response.status, value: (await response.json()) as never }
  }
  const newSession = async () =>
    (await ask('createSession', { body: {} })).value.sessionId as string
  const sessionId = await newSession()

  return {
    dir,
    stateRoot,
    server,
    stores,
    workspaceId,
    sessionId,
    logged,
    ask,
    newSession,
    attach,
    detach,
    write,
    read: path => readFileSync(join(dir, path), 'utf8'),
    async call(tool, args, { approve = 'all', toolCallId, sessionId: other } = {}) {
      const answer = await ask('callTool', {
        params: { sessionId: other ?? sessionId },
        body: { tool, arguments: args, approve, ...(toolCallId && { toolCallId }) },
      })
      return answer.value
    },
  }
}
