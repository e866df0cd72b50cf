import type { SessionId } from '@filewright/protocol'
import type { Unsubscribe } from './log.ts'

interface Place<Item> {
  items: readonly Item[] | undefined
}

/** Delivers items to the subscribers of a session in the order their places were reserved, each once filled. */
export function createDelivery<Item>() {
  const queues = new Map<SessionId, Place<Item>[]>()
  const subscribers = new Map<SessionId, Set<(items: readonly Item[]) => void>>()

  function flush(sessionId: SessionId, queue: Place<Item>[]) {
    while (queue[0]?.items) {
      const { items } = queue.shift()!
      if (items!.length > 0) for (const hear of subscribers.get(sessionId) ?? []) hear(items!)
    }
    if (queue.length === 0) queues.delete(sessionId)
  }

  return {
    isHeard: (sessionId: SessionId) => subscribers.has(sessionId),
    /** Every place must be filled, with nothing if there is no item. */
    queue(sessionId: SessionId) {
      const queue = queues.get(sessionId) ?? []
      queues.set(sessionId, queue)
      const place: Place<Item> = { items: undefined }
      queue.push(place)
      return {
        fill(items: readonly Item[]) {
          place.items = items
          flush(sessionId, queue)
        },
      }
    },
    subscribe(sessionId: SessionId, hear: (items: readonly Item[]) => void): Unsubscribe {
      const all = subscribers.get(sessionId) ?? new Set()
      subscribers.set(sessionId, all.add(hear))
      return () => {
        all.delete(hear)
        if (all.size === 0 && subscribers.get(sessionId) === all) subscribers.delete(sessionId)
      }
    },
  }
}
