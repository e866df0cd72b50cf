import type { SessionId, TokenId } from '@filewright/protocol'
import type { Session } from '../log/log.ts'
import type { Settings } from '../store/settings.ts'

/** What a person says of a session: it is no part of its log. */
export interface SessionMarks {
  readonly isPinned?: boolean
  readonly isArchived?: boolean
  /** The token that made it; absent: the owner's. */
  readonly createdBy?: TokenId
}

export interface MarkedSessions {
  /** The sessions as the person placed them. */
  apply(sessions: readonly Session[]): Promise<readonly (Session & SessionMarks)[]>
  of(sessionId: SessionId): Promise<SessionMarks>
  mark(sessionId: SessionId, marks: SessionMarks): Promise<void>
  forget(sessionId: SessionId): Promise<void>
}

const PREFIX = 'session-marks/'

export function createMarkedSessions(settings: Settings): MarkedSessions {
  return {
    async apply(sessions) {
      const [only] = sessions
      const kept =
        only && sessions.length === 1
          ? [{ key: PREFIX + only.sessionId, value: await one(only.sessionId) }]
          : await settings.list<SessionMarks>(PREFIX)
      const marks = new Map(kept.map(({ key, value }) => [key.slice(PREFIX.length), value]))
      return sessions.map(session => ({ ...session, ...marks.get(session.sessionId) }))
    },
    of: one,
    mark: (sessionId, marks) =>
      settings.update<SessionMarks>(PREFIX + sessionId, before => ({ ...before, ...marks })),
    forget: sessionId => settings.delete(PREFIX + sessionId),
  }

  async function one(sessionId: SessionId): Promise<SessionMarks> {
    return (await settings.get<SessionMarks>(PREFIX + sessionId)) ?? {}
  }
}
