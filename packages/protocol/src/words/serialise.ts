/** Runs work under one key in the order asked, and work under different keys in parallel. */
export function serialise() {
  const last = new Map<string, Promise<unknown>>()
  return function oneAtATime<Value>(key: string, work: () => Promise<Value>): Promise<Value> {
    const before = last.get(key)
    const mine = before ? before.then(work, work) : work()
    const settled = mine.catch(() => undefined)
    last.set(key, settled)
    settled.then(() => {
      if (last.get(key) === settled) last.delete(key)
    })
    return mine
  }
}
