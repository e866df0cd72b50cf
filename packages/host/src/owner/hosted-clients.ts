import {
  type Client,
  type ClientOptions,
  openHostedWorkspace,
  openStoredState,
  startClient,
} from '@filewright/client'
import type { WorkspaceId } from '@filewright/protocol'
import type { Hosted, HostedClients, HostedHold, Stores } from '@filewright/server'

export interface HostedClientsOptions
  extends Pick<ClientOptions, 'engines' | 'fetch' | 'server' | 'token'> {
  readonly onError: (error: unknown, workspaceId: string) => void
  readonly onRecovery: (sentences: readonly string[], workspaceId: string) => void
}

export interface RunningClients extends HostedClients {
  /** From now on it takes over what other instances leave, and lets go what nobody uses. */
  lookAround(): void
  closeAll(): Promise<void>
}

interface Running {
  readonly client: Client
  readonly hold: HostedHold
}

interface Opened {
  readonly running: Promise<Running | false | undefined>
  /** Set once it runs. */
  hold?: HostedHold
  usedAt: number
}

const LOOK_MS = 1_000 // a dead instance is known to be dead after three seconds
const IDLE_MS = 10 * 60_000
const MOST_STRANGERS = 10_000

/** The clients of the hosted workspaces whose home is this instance: opened when somebody asks for one. */
export function createHostedClients(
  { hosted, log }: Pick<Stores, 'log'> & { readonly hosted: Hosted },
  { onError, onRecovery, ...link }: HostedClientsOptions,
): RunningClients {
  const opened = new Map<WorkspaceId, Opened>()
  const closing = new Map<WorkspaceId, Promise<void>>()
  const strangers = new Set<string>() // ids of folders: none ever becomes a hosted workspace
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined
  let isClosed = false

  async function start(workspaceId: WorkspaceId): Promise<Running | false | undefined> {
    const known = await hosted.find(workspaceId)
    if (!known) return undefined
    const hold = await hosted.claim(workspaceId)
    if (!hold) return false
    try {
      const workspace = await openHostedWorkspace(known.name, hold.files)
      const state = await openStoredState(hold, workspace.atOnce)
      const client = await startClient({
        ...link,
        workspace,
        state,
        origin: 'http://filewright.local',
        key: known.key,
        name: known.name,
        watch: true,
        onError: error => onError(error, workspaceId),
      })
      onRecovery(client.recovery, workspaceId)
      return { client, hold }
    } catch (error) {
      await hold.release()
      throw error
    }
  }

  async function open(workspaceId: WorkspaceId): Promise<boolean | undefined> {
    if (isClosed || strangers.has(workspaceId)) return undefined
    await closing.get(workspaceId)
    const held: Opened = opened.get(workspaceId) ?? { running: start(workspaceId), usedAt: 0 }
    held.usedAt = Date.now()
    opened.set(workspaceId, held)
    let running: Awaited<Opened['running']>
    try {
      running = await held.running
      if (running) held.hold = running.hold
    } finally {
      if (!running && opened.get(workspaceId) === held) opened.delete(workspaceId)
    }
    if (running === undefined) {
      if (strangers.size >= MOST_STRANGERS) strangers.clear()
      strangers.add(workspaceId)
    }
    return running && true
  }

  /** Another request for it waits until this is done. */
  function close(workspaceId: WorkspaceId): Promise<void> {
    const held = opened.get(workspaceId)
    if (!held) return closing.get(workspaceId) ?? Promise.resolve()
    opened.delete(workspaceId)
    const ending = end(workspaceId, held).finally(() => closing.delete(workspaceId))
    closing.set(workspaceId, ending)
    return ending
  }

  async function end(workspaceId: WorkspaceId, { running }: Opened): Promise<void> {
    const found = await running.catch(() => undefined) // whoever opened it heard why
    if (!found) return
    await found.client.close().catch(error => onError(error, workspaceId))
    await found.hold.release().catch(error => onError(error, workspaceId))
  }

  async function look(): Promise<void> {
    const running = [...opened].flatMap(([id, { hold, usedAt }]) =>
      hold ? { id, hold, usedAt } : [],
    )
    const epochs = await hosted.held() // asked after they were claimed
    for (const { id, hold, usedAt } of running) {
      const isLost = epochs.get(id) !== hold.epoch
      const isIdle = Date.now() - usedAt > IDLE_MS && !(await isAtWork(id))
      if (isLost || hold.lines.isBroken || isIdle) await close(id)
    }
    for (const workspaceId of await hosted.abandoned())
      await open(workspaceId).catch(error => onError(error, workspaceId))
  }

  async function isAtWork(workspaceId: WorkspaceId): Promise<boolean> {
    return (await log.listSessions({ workspaceId, state: 'running', limit: 1 })).length > 0
  }

  return {
    open,
    close,
    lookAround() {
      timer ??= setInterval(() => {
        looking ??= look()
          .catch(error => onError(error, ''))
          .finally(() => {
            looking = undefined
          })
      }, LOOK_MS).unref()
    },
    async closeAll() {
      isClosed = true
      clearInterval(timer)
      await looking
      await Promise.all([...opened.keys()].map(close))
    },
  }
}
