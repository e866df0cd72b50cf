import {
  fail,
  type IdSource,
  type LogRow,
  ok,
  type Result,
  type Rewound,
  rowsInView,
  type SessionId,
  serialise,
  type ToolCallId,
  toDocPath,
  type WorkspaceId,
} from '@filewright/protocol'
import type { ClientLink } from '../link/client-link.ts'
import type { SessionLog } from '../log/log.ts'
import type { Actors } from '../session/actors.ts'
import type { SessionActor } from '../session/session-actor.ts'
import { notEnded } from './not-ended.ts'
import type { InTurn } from './turn-taking.ts'

/**
 * Going back to before a message. The wish is kept in the session's inbox first. Then the client takes the unpublished
 * changes out of the draft, and the row that tells what was done takes the wish out of the inbox. A process that dies in
 * between leaves the wish to the next one, and both steps change nothing when they are repeated.
 */
export interface Rewinding {
  rewind(sessionId: SessionId, wish: RewindWish): Promise<Result<Rewound>>
  /** Finishes what a process left: nothing else may be done in the session before. */
  finish(sessionId: SessionId): Promise<Result<Rewound | undefined>>
  /** The same for every session of a workspace. */
  finishAll(workspaceId: WorkspaceId): Promise<void>
}

export interface RewindWish {
  /** The row of the message. */
  readonly seq: number
  readonly by?: string
}

export interface RewindParts {
  readonly log: SessionLog
  readonly actors: Actors
  readonly link: ClientLink
  readonly ids: IdSource
  readonly inTurn: InTurn
  readonly isUnderWay: (sessionId: SessionId) => boolean
}

/** The inbox item of a wish to go back. */
export const REWIND = 'rewind'

interface KeptWish {
  readonly to_seq: number
  readonly by: string
}

export function createRewinding(options: RewindParts): Rewinding {
  const { log, actors, link, ids, inTurn, isUnderWay } = options

  const rewind = inTurn(async (sessionId, { seq, by = 'a person' }: RewindWish) => {
    const session = await log.getSession(sessionId)
    if (isUnderWay(sessionId)) return underWay()
    if (session?.state === 'waiting' || session?.state === 'running') return notEnded(session.state)
    const actor = await actors.open(sessionId)
    if (!actor.ok) return actor
    const { workspaceId } = actor.value
    if (!link.isAttached(workspaceId)) return away()
    await actor.value.settle()
    const to = findStart(rowsInView(await log.read(sessionId)), seq)
    if (!to.ok) return to
    const body: KeptWish = { to_seq: to.value, by }
    await log.putInbox(sessionId, { id: `${REWIND} ${ids('message')}`, type: REWIND, body })
    const done = await finishIn(actor.value)
    return done.ok ? ok(done.value!) : done
  })

  /** The owner's start and a message may both want it finished. */
  const oneAtATime = serialise()
  const finishIn = (actor: SessionActor) => oneAtATime(actor.sessionId, () => finishNow(actor))

  async function finishNow(actor: SessionActor): Promise<Result<Rewound | undefined>> {
    const { sessionId, workspaceId } = actor
    let last: Rewound | undefined
    for (const item of await log.peekInbox(sessionId)) {
      if (item.type !== REWIND) continue
      const { to_seq, by } = item.body as KeptWish
      const rows = rowsInView(await log.read(sessionId, { after: to_seq }))
      const toolCallIds = callsIn(rows)
      const asked = await link.ask(workspaceId, 'draft-rewind', { sessionId, toolCallIds, by })
      if (!asked.ok && asked.failure.kind === 'unavailable') return asked
      const consume = [item.id]
      if (!asked.ok) {
        await actor.append([], { consume })
        return asked
      }
      const { withdrawn } = asked.value
      const written = writtenIn(rows)
      await actor.append([{ type: 'rewind', to_seq, by, withdrawn, written }], { consume })
      last = { seq: await log.lastSeq(sessionId), withdrawn, written }
    }
    return ok(last)
  }

  async function finish(sessionId: SessionId): Promise<Result<Rewound | undefined>> {
    const hasWish = (await log.peekInbox(sessionId)).some(({ type }) => type === REWIND)
    if (!hasWish) return ok(undefined)
    const actor = await actors.open(sessionId)
    return actor.ok ? finishIn(actor.value) : actor
  }

  return {
    rewind,
    finish,
    async finishAll(workspaceId) {
      for (const sessionId of await log.sessionsWithMail()) {
        const session = await log.getSession(sessionId)
        if (session?.workspaceId === workspaceId) await finish(sessionId)
      }
    },
  }
}

/** The last row before the run that this message began. */
function findStart(rows: readonly LogRow[], seq: number): Result<number> {
  const at = rows.findIndex(row => row.seq === seq)
  const isMessage = rows[at]?.body.type === 'user_message'
  const begun = rows.findLast(row => row.seq < seq && row.body.type === 'run-start')
  const isOfNow = rows.at(-1)?.conversationId === rows[at]?.conversationId
  if (isMessage && begun && isOfNow) return ok(begun.seq - 1)
  const messages = rows.filter(
    ({ body, conversationId }) =>
      body.type === 'user_message' && conversationId === rows.at(-1)?.conversationId,
  )
  const named = messages.slice(-MOST_NAMED).map(row => row.seq)
  return fail(
    'INVALID_ARGUMENT',
    `Nothing was changed: row ${seq} is no message that began a run of this conversation. Those rows are ${named.join(', ') || 'none'}.`,
  )
}

const MOST_NAMED = 20

function callsIn(rows: readonly LogRow[]): ToolCallId[] {
  return rows.flatMap(({ body }) => (body.type === 'call-start' ? body.tool_call_id : []))
}

/** The files that were written in these rows, and not undone. */
function writtenIn(rows: readonly LogRow[]): string[] {
  const written = new Map<string, string>()
  const add = (path: string) => written.set(toDocPath(path as never), path)
  for (const { body } of rows) {
    if (body.type === 'tool_result')
      for (const { where, path } of body.effects ?? []) if (where === 'workspace') add(path)
    if (body.type !== 'draft') continue
    if (body.action === 'published' || body.action === 'redone') body.paths.forEach(add)
    if (body.action === 'undone')
      for (const path of body.paths) written.delete(toDocPath(path as never))
  }
  return [...written.values()]
}

function underWay(): Result<never> {
  return fail('CONFLICT', 'Nothing was changed: a run is in progress. Cancel it first.')
}

function away(): Result<never> {
  return fail(
    'CLIENT_GONE',
    'Nothing was changed: the client of this folder is away, and its draft cannot be changed. Retry when it is back.',
  )
}
