const PARENT_MS = 1_000

/** A host that is killed may leave its end of the pipe open in another child. */
export function untilOrphaned(): Promise<void> {
  const parent = process.ppid
  return new Promise(resolve => {
    const looking = setInterval(() => {
      if (process.ppid === parent) return
      clearInterval(looking)
      resolve()
    }, PARENT_MS)
    looking.unref()
  })
}
