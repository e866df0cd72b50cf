import { createRouteClient, type Result } from '@filewright/protocol'
import { prepareStateFolder, reachSocket } from '@filewright/server'
import { note } from '../exit/note.ts'
import { noticingBusy } from '../link/busy-notice.ts'
import type { Caller } from '../link/caller.ts'
import { NobodyThere, socketFetch } from '../link/local-socket.ts'
import { type ModelPlace, modelResolver } from '../models/models.ts'
import { type OpenedWorkspace, type OpenFolderOptions, realFolder } from '../owner/folders.ts'
import { askLocally } from '../owner/local-routes.ts'
import { type OwnerOptions, type StateOwner, startOwner } from '../owner/owner.ts'
import { readOwnerToken } from '../owner/owner-token.ts'
import type { Config } from '../settings/config.ts'
import type { OutsideConfigs } from '../settings/outside-servers.ts'

/**
 * The way of every command to the state: through this process when it is the first, else through the owner's socket.
 * When the owner is gone the next request takes over, and goes on with what it asked.
 */
export interface Connection extends Caller {
  openWorkspace(dir: string, options?: OpenFolderOptions): Promise<Result<OpenedWorkspace>>
  /**
   * For runs started here: the owner's environment may name no model, or another place for it. `place`: as it is set
   * now, for a process that stays.
   */
  useModel(name: string | undefined, place?: ModelPlace): Promise<string | undefined>
  /** MCP servers for the runs of a session, beside the person's own. */
  useOutside(sessionId: string, servers: OutsideConfigs): Promise<void>
  /** Where other instances that share the stores reach this process. */
  announce(url: string): Promise<void>
  /** Before `close`: other instances go on at once with what was under way here. */
  leave(drainMs?: number): Promise<void>
  /** Takes over when the owner ends, also while nobody asks; for a process that stays. */
  watchOwner(): void
  close(): Promise<void>
}

export async function connect(
  config: Config,
  options: OwnerOptions = {},
): Promise<Result<Connection>> {
  const prepared = await prepareStateFolder(config.stateRoot)
  if (!prepared.ok) return prepared
  const token = await readOwnerToken(config)
  const own: OwnWork = { folders: new Map(), outside: new Map(), place: undefined }
  let owner: StateOwner | undefined
  let socket: SocketFetch | undefined
  let electing: Promise<Result<null>> | undefined
  let watching: NodeJS.Timeout | undefined

  /** Becomes the owner, or finds it. */
  function elect(): Promise<Result<null>> {
    electing ??= enter().finally(() => {
      electing = undefined
    })
    return electing
  }

  async function enter(): Promise<Result<null>> {
    socket?.close()
    socket = undefined
    const found = await findOwner(config, options, { token, own })
    if (!found.ok) return found
    if ('owner' in found.value) owner = found.value.owner
    else socket = found.value.socket
    return { ok: true, value: null }
  }

  /** If the owner is gone, sends the request again to the next one: requests carry ids of their own. */
  async function send(request: Request): Promise<Response> {
    if (owner) return owner.fetch(request)
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
  const sender = { fetch: send, token }
  const routes = createRouteClient({ ...sender, origin: ORIGIN })
  return {
    ok: true,
    value: {
      ...sender,
      ...routes,
      isOwner: () => owner !== undefined,
      call: (name, ...asked) =>
        owner ? owner.handle(name, ...asked) : routes.call(name, ...asked),
      async openWorkspace(dir, asked = {}) {
        const root = realFolder(dir) // resolved here: the owner may run in another folder
        if (!root.ok) return root
        own.folders.set(root.value, asked)
        const opened = owner
          ? await owner.openWorkspace(root.value, asked)
          : await openThere(sender, root.value, asked)
        if (!opened.ok) own.folders.delete(root.value)
        return opened
      },
      async useModel(name, place = config) {
        const { baseUrl, apiKey, providers } = place
        // the owner reads its own settings, and another process may use a model of the same name elsewhere
        const model = name ?? (owner ? undefined : (place.model ?? (await chooseModel(place))))
        own.place = model === undefined ? undefined : { model, baseUrl, apiKey, providers }
        if (own.place && !owner) await askLocally(sender, 'models', own.place)
        return model
      },
      async useOutside(sessionId, servers) {
        own.outside.set(sessionId, servers)
        if (owner) owner.useOutside(sessionId, servers)
        else await askLocally(sender, 'outside', { sessionId, servers })
      },
      async announce(url) {
        own.url = url
        await owner?.announce(url)
      },
      async leave(drainMs) {
        await owner?.leave(drainMs)
      },
      watchOwner() {
        const look = () => void routes.open('health').then(leave, () => {}) // the next look tries again
        watching ??= setInterval(() => owner ?? look(), LOOK_MS)
      },
      async close() {
        clearInterval(watching)
        socket?.close()
        await owner?.close()
      },
    },
  }
}

/** What the next owner must know of this process. */
interface OwnWork {
  readonly folders: Map<string, OpenFolderOptions>
  readonly outside: Map<string, OutsideConfigs>
  place: ModelPlace | undefined
  url?: string
}

type SocketFetch = ReturnType<typeof socketFetch>

const ORIGIN = 'http://localhost' // over a socket any origin will do
const LOOK_MS = 1_000 // CONTRACT §9: an owner that ended has a successor within two seconds
const TAKEOVER_MS = 30_000 // how long we try to find an owner, or to become it: one that starts on a busy machine needs seconds

async function findOwner(
  config: Config,
  options: OwnerOptions,
  { token, own }: { readonly token: string; readonly own: OwnWork },
): Promise<Result<{ owner: StateOwner } | { socket: SocketFetch }>> {
  const until = performance.now() + TAKEOVER_MS
  for (;;) {
    const started = await startOwner(config, options)
    if (!started.ok) return started
    const owner = started.value
    if (owner) {
      for (const [dir, asked] of own.folders) await owner.openWorkspace(dir, asked)
      for (const [id, servers] of own.outside) owner.useOutside(id, servers)
      if (own.url) await owner.announce(own.url)
      return { ok: true, value: { owner } }
    }
    const reached = reachSocket(config.socketPath)
    if (!reached.ok) return reached
    const socket = openSocket(reached.value, token)
    const sender = { fetch: socket, token }
    if ((await answers(sender)) && (await takesOver(sender, own)))
      return { ok: true, value: { socket } }
    socket.close()
    if (performance.now() > until) return nobody(config)
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

function openSocket(path: string, token: string): SocketFetch {
  const plain = socketFetch(path)
  const probe = () => answers({ fetch: plain, token })
  return Object.assign(noticingBusy(plain, { probe, say: note }), { close: plain.close })
}

type Sender = Pick<Caller, 'fetch' | 'token'>

async function answers(sender: Sender): Promise<boolean> {
  const routes = createRouteClient({ ...sender, origin: ORIGIN })
  return routes.open('health').then(leave, () => false)
}

async function leave(response: Response): Promise<boolean> {
  await response.body?.cancel()
  return response.ok
}

/** At an endpoint of its own: the owner looks for a model elsewhere. */
async function chooseModel(place: ModelPlace): Promise<string | undefined> {
  const found = place.baseUrl ? await modelResolver(() => place).resolve(undefined) : undefined
  return found?.ok ? found.value.name : undefined
}

/** Opens every folder this process works on at the owner it found; false if that owner exits meanwhile. */
async function takesOver(sender: Sender, { folders, outside, place }: OwnWork): Promise<boolean> {
  try {
    for (const [dir, asked] of folders) await openThere(sender, dir, asked)
    for (const [sessionId, servers] of outside)
      await askLocally(sender, 'outside', { sessionId, servers })
    if (place) await askLocally(sender, 'models', place)
    return true
  } catch (error) {
    if (error instanceof NobodyThere) return false
    throw error
  }
}

/** A function cannot be sent, so the process that lists the folder asks. */
function openThere(sender: Sender, dir: string, { allowLarge }: OpenFolderOptions) {
  return askLocally(sender, 'workspaces', { dir, allowLarge })
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
