import { createHash, randomBytes } from 'node:crypto'
import type { Caller } from '@filewright/host'
import type { Toolset } from '@filewright/protocol'
import type { Agent, AgentPolicy } from './agent/agent.ts'
import { createTurns } from './agent/turns.ts'

export interface AgentOptions {
  readonly connection: Caller
  readonly params: { readonly workspaceId: string }
  readonly toolset: Toolset
  readonly policy: AgentPolicy
  /** The owner's token shares the standing session of the command line; any other has one of its own. */
  readonly isOwner: boolean
  readonly inFolder: string
  reviewLink(): Promise<string | undefined>
}

export function createAgent(options: AgentOptions): Agent {
  let session: Promise<string> | undefined
  return {
    ...options,
    turns: createTurns(),
    shortened: new Map(),
    waiting: new Map(),
    formKey: randomBytes(32),
    session() {
      if (session) return session
      session = findSession(options)
      session.catch(() => {
        session = undefined // the caller gets the error, and the next call looks again
      })
      return session
    },
  }
}

async function findSession({ connection, params, isOwner }: AgentOptions): Promise<string> {
  if (isOwner) return create({ standing: true })
  const title = `Agent ${createHash('sha256').update(connection.token).digest('hex').slice(0, 12)}`
  const sessions = await connection.call('listSessions', { params })
  const own = sessions.ok ? sessions.value.sessions.find(each => each.title === title) : undefined
  return own?.sessionId ?? create({ title })

  async function create(body: { readonly standing?: boolean; readonly title?: string }) {
    const created = await connection.call('createSession', { params, body })
    if (!created.ok) throw new Error(created.failure.message)
    return created.value.sessionId
  }
}

/** As the person set it; a word that is none of the three is the safest of them that still works. */
export function toPolicy(set: string | undefined): AgentPolicy {
  return set === 'auto' || set === 'never' ? set : 'ask'
}
