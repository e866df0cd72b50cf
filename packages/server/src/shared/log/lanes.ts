import type { SessionId } from '@filewright/protocol'

/** Work on a session, one after the other. What can be joined while it waits becomes one piece of work. */
export interface Lanes<Item> {
  /** Runs when all earlier work of the session is done. */
  run<Value>(sessionId: SessionId, work: () => Promise<Value>): Promise<Value>
  /** Items that wait next to each other are given to `write` together. `write` must not reject. */
  add(sessionId: SessionId, item: Item): void
  /** Resolves when everything asked before has ended. */
  settled(sessionId: SessionId): Promise<void>
}

const MOST_TOGETHER = 200

type Step<Item> = { readonly items: Item[] } | { readonly work: () => Promise<void> }

export function createLanes<Item>(write: (items: readonly Item[]) => Promise<void>): Lanes<Item> {
  const lanes = new Map<SessionId, Step<Item>[]>()

  function enter(sessionId: SessionId, step: Step<Item>) {
    const lane = lanes.get(sessionId)
    if (lane) return void lane.push(step)
    const fresh = [step]
    lanes.set(sessionId, fresh)
    void go(sessionId, fresh)
  }

  async function go(sessionId: SessionId, lane: Step<Item>[]) {
    await Promise.resolve() // what is added in the same turn goes along
    for (let step = lane.shift(); step; step = lane.shift())
      await ('items' in step ? write(step.items) : step.work())
    lanes.delete(sessionId)
  }

  function run<Value>(sessionId: SessionId, work: () => Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) =>
      enter(sessionId, { work: () => work().then(resolve, reject) }),
    )
  }

  return {
    run,
    add(sessionId, item) {
      const last = lanes.get(sessionId)?.at(-1)
      if (last && 'items' in last && last.items.length < MOST_TOGETHER) last.items.push(item)
      else enter(sessionId, { items: [item] })
    },
    settled: async sessionId => {
      if (lanes.has(sessionId)) await run(sessionId, async () => {})
    },
  }
}
