const GRACE_MS = 900 // whoever asks a process to end waits about a second before he kills it

/**
 * Ctrl-C, SIGTERM or a closed terminal. A shell that ends alone leaves what it put in the background. Whatever is still
 * under way then has (after `drainMs`, while which it is still served) a moment to end in order; after that the process ends as if it had been killed, which loses nothing.
 */
export function untilStopped(drainMs = 0): Promise<void> {
  return new Promise<void>(done => {
    const resolve = () => {
      setTimeout(() => process.exit(0), drainMs + GRACE_MS).unref()
      done()
    }
    process.once('SIGINT', resolve)
    process.once('SIGTERM', resolve)
    process.once('SIGHUP', resolve)
  })
}
