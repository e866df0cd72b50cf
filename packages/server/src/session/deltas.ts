import type { QueuedMessage, SessionEvent, SessionId } from '@filewright/protocol'

/** Text as a model writes it. Current listeners hear it; nobody keeps it. */
export interface Deltas {
  emit(sessionId: SessionId, turnId: string, text: string): void
  /** A row was numbered: text from now on comes after it, even for a listener that has not heard of the row yet. */
  noteRow(sessionId: SessionId, seq: number): void
  /** Sent at once, because the rows before it may never be kept. */
  emitLost(sessionId: SessionId, lost: RunLost): void
  emitQueue(sessionId: SessionId, messages: readonly QueuedMessage[]): void
  emitProgress(sessionId: SessionId, toolCallId: string, text: string): void
  emitThought(sessionId: SessionId, turnId: string, text: string): void
  /** The turn is over: the log has its text. */
  end(sessionId: SessionId): void
  forget(sessionId: SessionId): void
  listen(sessionId: SessionId, listener: (text: TextEvent) => void): () => void
  /** The text of the current turn, in one piece. */
  soFar(sessionId: SessionId): TextEvent | undefined
}

type RunLost = Extract<SessionEvent, { type: 'run-lost' }>

export interface TextEvent {
  readonly event: SessionEvent
  /** The row that it comes after. */
  readonly after: number
}

type Listener = (text: TextEvent) => void

export function createDeltas(): Deltas {
  const listeners = new Map<SessionId, Set<Listener>>()
  const lastRows = new Map<SessionId, number>()
  const texts = new Map<SessionId, { turnId: string; text: string }>()
  const lastRow = (sessionId: SessionId) => lastRows.get(sessionId) ?? 0
  const counts = createCounts((sessionId, own) => {
    const event = { type: 'listeners', count: own.size } as const
    for (const each of own) each({ event, after: lastRow(sessionId) })
  })
  return {
    emit(sessionId, turnId, text) {
      const before = texts.get(sessionId)
      texts.set(sessionId, { turnId, text: before?.turnId === turnId ? before.text + text : text })
      for (const listener of listeners.get(sessionId) ?? [])
        listener({ event: { type: 'text-delta', turnId, text }, after: lastRow(sessionId) })
    },
    noteRow: (sessionId, seq) => void lastRows.set(sessionId, seq),
    emitLost(sessionId, event) {
      lastRows.delete(sessionId) // rows that were numbered and not kept get other numbers
      for (const listener of listeners.get(sessionId) ?? []) listener({ event, after: 0 })
    },
    emitQueue(sessionId, messages) {
      for (const listener of listeners.get(sessionId) ?? [])
        listener({ event: { type: 'queue', messages }, after: lastRow(sessionId) })
    },
    emitThought(sessionId, turnId, text) {
      const event = { type: 'thought-delta', turnId, text } as const
      for (const listener of listeners.get(sessionId) ?? [])
        listener({ event, after: lastRow(sessionId) })
    },
    emitProgress(sessionId, toolCallId, text) {
      const event = { type: 'call-progress', toolCallId, text } as const
      for (const listener of listeners.get(sessionId) ?? [])
        listener({ event, after: lastRow(sessionId) })
    },
    end: sessionId => void texts.delete(sessionId),
    forget(sessionId) {
      texts.delete(sessionId)
      lastRows.delete(sessionId)
    },
    listen(sessionId, listener) {
      const own = listeners.get(sessionId) ?? new Set()
      listeners.set(sessionId, own.add(listener))
      counts.tell(sessionId, own, own.size)
      return () => {
        if (!own.delete(listener)) return
        counts.tell(sessionId, own, own.size + 1)
        if (own.size === 0 && listeners.get(sessionId) === own) listeners.delete(sessionId)
      }
    },
    soFar(sessionId) {
      const text = texts.get(sessionId)
      return text && { event: { type: 'text-so-far', ...text }, after: lastRow(sessionId) }
    },
  }
}

/** A thousand readers who come at once are not told of each other one by one. */
const COUNT_AGAIN_MS = 200

/** How many follow a session, said to each of them; who follows alone hears nothing of it. */
function createCounts(say: (sessionId: SessionId, own: ReadonlySet<Listener>) => void) {
  /** Told a moment ago, and whether that is out of date. */
  const recent = new Map<SessionId, { isOutdated: boolean }>()
  const tell = (sessionId: SessionId, own: ReadonlySet<Listener>, most: number) => {
    const last = recent.get(sessionId)
    if (last) last.isOutdated = true
    if (last || most < 2) return
    say(sessionId, own)
    const told = { isOutdated: false }
    recent.set(sessionId, told)
    setTimeout(() => {
      recent.delete(sessionId)
      if (told.isOutdated) tell(sessionId, own, own.size + 1)
    }, COUNT_AGAIN_MS).unref()
  }
  return { tell }
}
