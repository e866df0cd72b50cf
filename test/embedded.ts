import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import {
  type Client,
  type ClientState,
  openClientState,
  openDiskWorkspace,
  startClient,
  type Workspace,
} from '@filewright/client'
import { loadFormat } from '@filewright/documents'
import { createInProcessEngine, type Engine, type Office } from '@filewright/engine'
import type { LoopLimits, Model } from '@filewright/loop'
import { fail, type JsonRoute, type Result, unwrap } from '@filewright/protocol'
import {
  createLogger,
  createMemoryBlobs,
  createServer,
  createStores,
  IN_MEMORY,
  openDatabase,
  openMemoryStores,
  type Server,
  type Stores,
} from '@filewright/server'
import { inject, onTestFinished, vi } from 'vitest'
import { type AskOptions, type LinkName, openTestLink, type TestLink } from './links.ts'
import { NO_OFFICE } from './no-office.ts'
import { PATIENCE } from './patience.ts'

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
  /** Any route of the API, with the owner's token; `value` is the body of the HTTP response. */
  ask<Value = Answer>(
    route: JsonRoute,
    options?: AskOptions,
  ): Promise<{ status: number; value: Value }>
  read(path: string): string
  write(path: string, content: string | Uint8Array): void
  /** The client disconnects, and the server knows; `attach` brings it back. */
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

type Files = Readonly<Record<string, string | Uint8Array>>

export interface EmbeddedOptions {
  readonly model?: Model
  /** By default without a disk. */
  readonly stores?: Stores
  /** Instead of the folder on disk. */
  readonly workspace?: Workspace
  /** The client's state; by default a new folder. */
  readonly state?: ClientState
  readonly limits?: Partial<LoopLimits>
  /** Wraps the engine for text and office files. */
  readonly wrapEngine?: (engine: Engine) => Engine
  /** Makes pages of office files; by default there is none. */
  readonly office?: Office
  /** The client's clock. */
  readonly now?: () => Date
  /** By default the link of the project: see test/suites-by-link.ts. */
  readonly link?: LinkName
}

/** The whole product on a new folder with `files`, until the test ends. */
export async function embedded(
  files: Files = {},
  options: EmbeddedOptions = {},
): Promise<Embedded> {
  const place = makeFolders(files)
  const logged: Logged[] = []
  const stores = options.stores ?? (await openOwnStores(options.link))
  const inProcess = createInProcessEngine({ loadFormat })
  const engine = options.wrapEngine?.(inProcess) ?? inProcess
  const server = await startServer(stores, logged, options, engine)
  const link = await openTestLink(server, TOKEN, options.link)

  let client: Client | undefined
  const attach = async () => {
    client = await offerFolder({ place, link, engine, logged, options })
  }
  const detach = async () => {
    await client?.close()
    client = undefined
    await vi.waitUntil(async () => !(await ask('getWorkspace')).value.isAttached, PATIENCE)
  }
  await attach()
  onTestFinished(async () => {
    await client?.close()
    await server.close()
    await link.close()
    await stores.close()
    place.remove()
  })
  const { workspaceId } = client!

  const ask: Embedded['ask'] = async (route, { params, ...rest } = {}) => {
    const { status, value } = await link.ask(route, { params: { workspaceId, ...params }, ...rest })
    return { status, value: value as never }
  }
  const newSession = async () =>
    (await ask('createSession', { body: {} })).value.sessionId as string
  const sessionId = await newSession()

  return {
    ...place,
    server,
    stores,
    workspaceId,
    sessionId,
    logged,
    ask,
    newSession,
    attach,
    detach,
    async call(tool, args, { approve = 'all', toolCallId, sessionId: other = sessionId } = {}) {
      const body = { tool, arguments: args, approve, ...(toolCallId && { toolCallId }) }
      return (await ask('callTool', { params: { sessionId: other }, body })).value
    },
  }
}

/** A workspace and a state folder side by side. */
function makeFolders(files: Files) {
  const root = mkdtempSync(join(tmpdir(), 'filewright-embedded-'))
  const dir = join(root, 'workspace')
  mkdirSync(dir)
  const write = (path: string, content: string | Uint8Array) => {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), content)
  }
  for (const [path, content] of Object.entries(files)) write(path, content)
  return {
    dir,
    stateRoot: join(root, 'state'),
    write,
    read: (path: string) => readFileSync(join(dir, path), 'utf8'),
    remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 20 }),
  }
}

function startServer(
  stores: Stores,
  logged: Logged[],
  { limits, model }: EmbeddedOptions,
  chunkEngine: Engine,
): Promise<Server> {
  const now = () => new Date()
  return createServer({
    stores,
    logger: createLogger(line => logged.push(JSON.parse(line)), now),
    version: 'test',
    ownerToken: TOKEN,
    limits,
    chunkEngine,
    resolveModel: async (): Promise<Result<Model>> =>
      model ? { ok: true, value: model } : fail('NOT_FOUND', 'No model in this test.'),
  })
}

/** The database of the command, without its disk; over HTTP the server keeps its rows elsewhere, where they arrive later. */
async function openOwnStores(link = inject('link')): Promise<Stores> {
  if (link !== 'direct') return openMemoryStores()
  return createStores(unwrap(await openDatabase(IN_MEMORY)), createMemoryBlobs())
}

async function offerFolder({ place, link, engine, logged, options }: Offer): Promise<Client> {
  return startClient({
    ...link.client,
    workspace: options.workspace ?? unwrap(await openDiskWorkspace(place.dir)),
    state: options.state ?? (await openClientState(place.stateRoot)),
    engines: { trusted: engine, hostile: engine, office: options.office ?? NO_OFFICE },
    key: 'test',
    name: 'workspace',
    place: place.dir,
    now: options.now,
    onError: error => logged.push({ event: 'client error', error: String(error) }),
  })
}

interface Offer {
  readonly place: Pick<Embedded, 'dir' | 'stateRoot'>
  readonly link: TestLink
  readonly engine: Engine
  readonly logged: Logged[]
  readonly options: EmbeddedOptions
}
