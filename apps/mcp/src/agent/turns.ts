/** Reads run side by side; a read waits for the writes before it, and a write for all before it (CONTRACT §7). */
export interface Turns {
  read<Value>(work: () => Promise<Value>): Promise<Value>
  write<Value>(work: () => Promise<Value>): Promise<Value>
}

export function createTurns(): Turns {
  let write: Promise<unknown> = Promise.resolve()
  const reads = new Set<Promise<unknown>>()
  const settled = (work: Promise<unknown>) => work.catch(() => {}) // whoever asked gets the error
  return {
    read(work) {
      const reading = write.then(work)
      const done = settled(reading)
      reads.add(done)
      void done.then(() => reads.delete(done))
      return reading
    },
    write(work) {
      const writing = Promise.all([write, ...reads]).then(work)
      write = settled(writing)
      return writing
    },
  }
}
