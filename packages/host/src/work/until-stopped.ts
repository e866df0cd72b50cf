/** Ctrl-C, SIGTERM or a closed terminal. A shell that ends alone leaves what it put in the background. */
export function untilStopped(): Promise<void> {
  return new Promise<void>(done => {
    const resolve = () => done()
    process.once('SIGINT', resolve)
    process.once('SIGTERM', resolve)
    process.once('SIGHUP', resolve)
  })
}
