import {
  fail,
  type GivenBody,
  type Result,
  type Right,
  rightForTool,
  type SessionId,
} from '@filewright/protocol'
import { findTool } from '@filewright/tools'
import type { Settings } from '../store/settings.ts'
import { holds, lacks, type Scope } from './scope.ts'

/**
 * Who proposes does not decide: a token that made a call that writes, or sent a message, in a session approves and
 * publishes nothing of that session. One person on one machine does both.
 */
export interface OwnWork {
  /** Durable before the work begins. */
  begin(scope: Scope, sessionId: SessionId): Promise<void>
  refuseDecision(scope: Scope, sessionId: string): Promise<Result<never> | undefined>
  /** A yes that was given beforehand covers no words of another token. */
  refusePolicy(scope: Scope, sessionId: string): Promise<Result<never> | undefined>
}

/** The tokens that brought words or work into a session, besides one person on one machine. */
export const WORKED = 'works/'

export function createOwnWork(settings: Settings): OwnWork {
  const noted = new Set<string>()
  const keyOf = ({ tokenId }: Scope, sessionId: string) => `${WORKED}${sessionId}/${tokenId}`
  return {
    async begin(scope, sessionId) {
      const key = keyOf(scope, sessionId)
      if (scope.decidesOwn || noted.has(key)) return
      await settings.set(key, scope.name) // stays when the session is deleted: its approvals may outlive it
      if (noted.size >= MOST_NOTED) noted.clear()
      noted.add(key)
    },
    async refusePolicy(scope, sessionId) {
      const own = keyOf(scope, sessionId)
      const worked = await settings.list<string | true>(`${WORKED}${sessionId}/`)
      const names = worked
        .filter(({ key }) => key !== own)
        .map(({ key, value }) => (value === true ? key.slice(key.lastIndexOf('/') + 1) : value))
      if (names.length === 0) return undefined
      const others = names.map(name => `"${name}"`).join(', ')
      return fail(
        'DENIED',
        `Nothing was done: other tokens worked in this session (${others}), and a yes that was given beforehand covers no words of theirs. A person looks at it and decides; a new session is free of them.`,
        { details: { needsPerson: true } },
      )
    },
    async refuseDecision(scope, sessionId) {
      if (scope.decidesOwn || !(await settings.get(keyOf(scope, sessionId)))) return undefined
      return fail(
        'DENIED',
        `Nothing was decided: the token "${scope.name}" has worked in this session, and nobody decides about their own work. Decide with another token that has the right to approve.`,
      )
    },
  }
}

const MOST_NOTED = 10_000

/** A call needs the right that its tool needs. One that nobody knows is refused by name later. */
export function refuseTool(
  scope: Scope,
  { tool, approve }: Pick<GivenBody<'callTool'>, 'tool' | 'approve'>,
): Result<never> | undefined {
  const right = rightOf(tool)
  if (!holds(scope, right)) return lacks(scope, right)
  return right === 'read' ? undefined : refuseYesToAll(scope, approve)
}

export function rightOf(tool: string): Right {
  return rightForTool(findTool(tool)?.declaration.writes ?? 'nothing')
}

/** `all` is a yes to what the asker itself is about to do. */
export function refuseYesToAll(
  scope: Scope,
  approve: 'ask' | 'rules' | 'all' | undefined,
): Result<never> | undefined {
  if (approve !== 'all' || scope.decidesOwn) return undefined
  return fail(
    'DENIED',
    `Nothing was done: with approve "all" the token "${scope.name}" would decide about its own work. Leave it out, and decide with another token that has the right to approve, or let that one make a rule.`,
  )
}

/** A rule that allows something answers the calls of its maker too. */
export function refuseRule(
  scope: Scope,
  effect: GivenBody<'addRule'>['effect'],
): Result<never> | undefined {
  const isStricter = effect === 'deny' || effect === 'ask'
  if (isStricter || scope.decidesOwn || !holds(scope, 'edit')) return undefined
  return fail(
    'DENIED',
    `No rule was made: it would answer the calls of the token "${scope.name}" itself, which has the right to edit. Make it with a token that has the right to approve alone.`,
  )
}

/** Whom a decision names: what a request says of itself counts only on the owner's word. */
export function decider({ isOwner, name }: Scope, given: string | undefined): string {
  return isOwner ? (given ?? 'a person') : name
}
