import type { SessionEvent, SessionId } from '@filewright/protocol'

/** Text as a model writes it: heard by whoever listens now, kept by nobody. */
export interface Deltas {
  emit(sessionId: SessionId, turnId: string, text: string): void
  /** A row was numbered: text that comes now stands behind it, also for a listener who is yet to hear of the row. */
  noteRow(sessionId: SessionId, seq: number): void
  /** Heard at once: the rows before it may never be kept. */
  emitLost(sessionId: SessionId, lost: RunLost): void
  /** The turn is over: its text stands in the log. */
  end(sessionId: SessionId): void
  forget(sessionId: SessionId): void
  listen(sessionId: SessionId, listener: (text: TextEvent) => void): () => void
  /** Of the turn under way, in one piece. */
  soFar(sessionId: SessionId): TextEvent | undefined
}

type RunLost = Extract<SessionEvent, { type: 'run-lost' }>

export interface TextEvent {
  readonly event: SessionEvent
  /** The row behind which it stands. */
  readonly after: number
}

export function createDeltas(): Deltas {
  const listeners = new Map<SessionId, Set<(text: TextEvent) => void>>()
  const lastRows = new Map<SessionId, number>()
  const texts = new Map<SessionId, { turnId: string; text: string }>()
  const lastRow = (sessionId: SessionId) => lastRows.get(sessionId) ?? 0
  return {
    emit(sessionId, turnId, text) {
      const before = texts.get(sessionId)
      texts.set(sessionId, { turnId, text: before?.turnId === turnId ? before.text + text : text })
      for (const listener of listeners.get(sessionId) ?? [])
        listener({ event: { type: 'text-delta', turnId, text }, after: lastRow(sessionId) })
    },
    noteRow: (sessionId, seq) => void lastRows.set(sessionId, seq),
    emitLost(sessionId, event) {
      lastRows.delete(sessionId) // what was numbered and not kept comes under other numbers
      for (const listener of listeners.get(sessionId) ?? []) listener({ event, after: 0 })
    },
    end: sessionId => void texts.delete(sessionId),
    forget(sessionId) {
      texts.delete(sessionId)
      lastRows.delete(sessionId)
    },
    listen(sessionId, listener) {
      const own = listeners.get(sessionId) ?? new Set()
      listeners.set(sessionId, own.add(listener))
      return () => {
        own.delete(listener)
        if (own.size === 0 && listeners.get(sessionId) === own) listeners.delete(sessionId)
      }
    },
    soFar(sessionId) {
      const text = texts.get(sessionId)
      return text && { event: { type: 'text-so-far', ...text }, after: lastRow(sessionId) }
    },
  }
}
