import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  addressFor,
  currentFolder,
  Exit,
  type Host,
  hostsFor,
  type Listening,
  listen,
  note,
  portFace,
  readConfig,
  refuseStateInside,
  untilStopped,
  unwrapOrExit,
  withOwnSettings,
} from '@filewright/host'
import { EXIT_CODES } from '@filewright/protocol'
import { confirmScan, settleScan } from '../../input/scan-question.ts'
import { answer } from '../../output/output.ts'
import { noteModel } from './note-model.ts'

interface ServeOptions {
  readonly cwd?: readonly string[]
  readonly port?: number
  readonly host: string
  readonly allowLarge?: boolean
}

const FIRST_PORT = 4680
const LAST_PORT = 4780

/** Serves until it is stopped; its token is the same after a restart. */
export async function serve(
  { cwd = [currentFolder()], port, host: address, allowLarge }: ServeOptions,
  host: Host,
): Promise<void> {
  const config = readConfig()
  for (const dir of cwd) refuseStateInside(dir, config)
  const webRoot = findWebRoot()
  const hosts = isLoopback(address) ? [] : hostsFor(address)
  const connection = unwrapOrExit(
    await host.connect(config, {
      webRoot,
      autoResume: true,
      watch: true,
      hosts,
    }),
  )
  let listening: Listening | undefined
  try {
    const workspaceIds: string[] = []
    for (const dir of cwd) {
      const workspace = unwrapOrExit(
        await connection.openWorkspace(dir, { allowLarge, confirmScan }),
      )
      for (const sentence of workspace.recovery) note(sentence)
      const params = { workspaceId: workspace.workspaceId }
      if (!connection.isOwner()) await settleScan({ connection, params }, { allowLarge })
      note(`Offering ${workspace.root} (${workspace.workspaceId})`)
      workspaceIds.push(workspace.workspaceId)
    }
    const ownFetch = withOwnSettings(connection.fetch, {
      workspaceIds,
      chooseModel: () => connection.useModel(undefined, readConfig()),
    })
    connection.watchOwner()
    listening = await listenSomewhere(
      portFace(ownFetch, { hosts, webRoot, routes: host.routes }),
      address,
      port,
    )
    answer(
      `Filewright is at http://${addressFor(address)}:${listening.port}/?token=${connection.token}`,
    )
    if (!isLoopback(address))
      note(
        'Other machines can reach this address; anyone with the token can work on these folders.',
      )
    const stopped = untilStopped()
    await Promise.race([stopped, noteModel(connection)])
    await stopped
    note('Stopping.')
  } finally {
    await listening?.close()
    await connection.close()
  }
}

async function listenSomewhere(
  fetch: Parameters<typeof listen>[0],
  host: string,
  port: number | undefined,
): Promise<Listening> {
  for (let candidate = port ?? FIRST_PORT; ; candidate++) {
    try {
      return await listen(fetch, { host, port: candidate })
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EADDRINUSE' && port === undefined && candidate < LAST_PORT) continue
      throw new Exit(EXIT_CODES.unavailable, portProblem(code, host, candidate))
    }
  }
}

function portProblem(code: string | undefined, host: string, port: number): string {
  if (code === 'EADDRINUSE') return `port ${port} is taken; omit --port to use a free one`
  if (code === 'EACCES') return `no permission to listen on port ${port}; use one above 1023`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `this machine has no address "${host}"; use 127.0.0.1`
  return `cannot listen on ${host}:${port} (${code})`
}

/** Beside the bundle, or in a checkout. */
function findWebRoot(): string | undefined {
  const here = dirname(fileURLToPath(import.meta.url))
  return [join(here, 'web'), join(here, '../../web/dist')].find(folder =>
    existsSync(join(folder, 'index.html')),
  )
}

function isLoopback(host: string): boolean {
  return ['127.0.0.1', 'localhost', '::1'].includes(host)
}
