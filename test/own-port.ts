import { createServer } from 'node:net'

/**
 * A free port below the range that systems assign: no other process gets it before a server that a test starts or
 * restarts takes it.
 */
export async function ownPort(): Promise<number> {
  for (;;) {
    const port = 11_000 + Math.floor(Math.random() * 19_000) // above 10080, which browsers refuse
    if (await isFree(port)) return port
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
