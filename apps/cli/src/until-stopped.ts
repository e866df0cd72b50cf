/** Ctrl-C, SIGTERM, or a parent that went away: npm passes no signal on when it is killed itself. */
export function untilStopped(): Promise<void> {
  const parent = process.ppid
  return new Promise<void>(done => {
    const resolve = () => done()
    process.once('SIGINT', resolve)
    process.once('SIGTERM', resolve)
    process.once('SIGHUP', resolve)
    const watch = setInterval(() => {
      if (process.ppid === parent) return
      clearInterval(watch)
      resolve()
    }, 500)
    watch.unref()
  })
}
