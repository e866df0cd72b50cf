import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** What stands before instances: each connection goes to the first of them that is up. */
export interface Balancer {
  readonly origin: string
  /** No connection goes there any more, and those that did are cut. */
  leaveOut(port: number): void
  takeIn(port: number): void
}

export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const up = [...ports]
  const open = new Map<Socket, number>()
  const server = createServer(socket => {
    const port = up[0]
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
  onTestFinished(() => {
    for (const socket of open.keys()) socket.destroy()
    server.close()
  })
  const { port } = server.address() as { port: number }
  return {
    origin: `http://127.0.0.1:${port}`,
    leaveOut(gone) {
      const place = up.indexOf(gone)
      if (place >= 0) up.splice(place, 1)
      for (const [socket, port] of open) if (port === gone) socket.destroy()
    },
    takeIn: back => void up.push(back),
  }
}
