import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** As in front of a real service: connections go to any instance that says it is ready, and end with one that does not. */
export interface WatchingBalancer {
  readonly origin: string
  add(port: number): void
  /** It is gone for good. */
  remove(port: number): void
  /** Cuts about that part of the connections that are open. */
  cut(part: number, random: () => number): void
}

const LOOK_MS = 250
/** No machine is so busy for so long that it says nothing at all. */
const SILENT_MS = 2_000

export async function startWatchingBalancer(random: () => number): Promise<WatchingBalancer> {
  const ready = new Map<number, boolean>()
  const open = new Map<Socket, number>()
  const server = createServer(socket => {
    const ports = [...ready].flatMap(([port, isReady]) => (isReady ? [port] : []))
    const port = ports[Math.floor(random() * ports.length)]
    if (port === undefined) return void socket.destroy()
    const behind = connect(port, '127.0.0.1')
    open.set(socket, port)
    const end = () => {
      open.delete(socket)
      socket.destroy()
      behind.destroy()
    }
    for (const each of [socket, behind]) each.on('error', end).on('close', end)
    socket.pipe(behind).pipe(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  function end(port: number) {
    for (const [socket, own] of open) if (own === port) socket.destroy()
  }

  async function look(port: number) {
    const isReady = await isReadyAt(port)
    if (!ready.has(port)) return
    const was = ready.get(port)
    ready.set(port, isReady)
    if (was && !isReady) end(port)
  }
  const looking = setInterval(() => {
    for (const port of ready.keys()) void look(port)
  }, LOOK_MS)
  onTestFinished(() => {
    clearInterval(looking)
    for (const socket of open.keys()) socket.destroy()
    server.close()
  })
  const { port } = server.address() as { port: number }
  return {
    origin: `http://127.0.0.1:${port}`,
    add: added => void ready.set(added, true),
    remove(gone) {
      ready.delete(gone)
      end(gone)
    },
    cut(part, random) {
      for (const socket of [...open.keys()]) if (random() < part) socket.destroy()
    },
  }
}

async function isReadyAt(port: number): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(SILENT_MS)
    const answer = await fetch(`http://127.0.0.1:${port}/ready`, { signal })
    await answer.body?.cancel()
    return answer.status === 200
  } catch {
    return false
  }
}
