import type { WorkspaceId } from '@filewright/protocol'
import type { ClientLink } from './link/client-link.ts'
import type { Calls } from './record/calls.ts'
import type { Runs } from './runs/runs.ts'
import type { Actors } from './session/actors.ts'
import type { Homes } from './store/homes.ts'
import type { Logger } from './words/logger.ts'

export interface AmongInstancesParts {
  /** Undefined: no other instance uses the same stores. */
  readonly homes: Homes | undefined
  readonly link: ClientLink
  readonly calls: Pick<Calls, 'reconcile'>
  readonly runs: Runs
  readonly actors: Actors
  readonly logger: Logger
}

/** Clients come and go, and their workspaces with them; other instances may come and go too. */
export interface AmongInstances {
  /** The client's workspace is at home here: what others left of its calls and runs goes on. */
  readonly attachClient: ClientLink['attach']
  close(): void
}

const LOOK_MS = 2_000
const SOON_MS = 100
/** A client that left comes back within this time, here or elsewhere. */
const EXPECTED_MS = 5_000

export function joinInstances(parts: AmongInstancesParts): AmongInstances {
  const { homes, link, calls, runs, actors, logger } = parts
  const attached = new Set<WorkspaceId>()
  let isClosed = false
  /** Once closed, the stores may go at any moment; what was not settled is settled at the next start. */
  const logFailure = (cause: unknown) => {
    if (!isClosed) logger.error('Session.ReconcileFailed', cause)
  }

  /** Whoever holds a session without its client would only record that its client is gone. */
  async function handOverIfMoved(workspaceId: WorkspaceId): Promise<boolean> {
    if (!(await homes?.elsewhere(workspaceId))) return false
    const left = runs.leave(workspaceId)
    link.giveUp(workspaceId) // the runs are left already, so none takes this for an answer
    await left
    await actors.dropAll(workspaceId)
    return true
  }

  /** A run looks after its own calls, so among instances it need not wait for sessions that another still holds. */
  async function takeUp(workspaceId: WorkspaceId): Promise<void> {
    if (!homes) await calls.reconcile(workspaceId)
    await Promise.all([
      runs.resumeAll(workspaceId),
      homes && calls.reconcile(workspaceId).catch(logFailure),
    ])
  }

  async function expect(workspaceId: WorkspaceId): Promise<void> {
    const until = Date.now() + EXPECTED_MS
    while (!isClosed && Date.now() < until && !attached.has(workspaceId)) {
      if (await handOverIfMoved(workspaceId)) return
      await new Promise(resolve => setTimeout(resolve, SOON_MS))
    }
  }

  async function look() {
    await actors.dropIdle(LOOK_MS, sessionId => !runs.letGo(sessionId))
    for (const workspaceId of new Set([...attached, ...runs.workspaces()]))
      if (!(await handOverIfMoved(workspaceId)) && attached.has(workspaceId))
        await runs.resumeAll(workspaceId)
  }

  let isLooking = false
  const looking =
    homes &&
    setInterval(() => {
      if (isLooking) return
      isLooking = true
      look()
        .catch(cause => logger.error('Session.LookFailed', cause))
        .finally(() => {
          isLooking = false
        })
    }, LOOK_MS).unref()

  return {
    attachClient(workspaceId, send, options) {
      const detach = link.attach(workspaceId, send, options)
      attached.add(workspaceId)
      Promise.resolve(homes?.settle(workspaceId))
        .then(() => takeUp(workspaceId))
        .catch(logFailure)
      return () => {
        detach()
        if (link.isAttached(workspaceId)) return
        attached.delete(workspaceId)
        homes
          ?.leave(workspaceId)
          .then(() => expect(workspaceId))
          .catch(logFailure)
      }
    },
    close() {
      isClosed = true
      clearInterval(looking)
    },
  }
}
