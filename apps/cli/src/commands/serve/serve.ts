import {
  addressFor,
  type Connection,
  currentFolder,
  Exit,
  findWebRoot,
  type Host,
  hostsFor,
  type Listening,
  listenSomewhere,
  note,
  portFace,
  readConfig,
  refuseStateInside,
  sendNotesTo,
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
  readonly allowOrigin?: readonly string[]
  readonly allowLarge?: boolean
}

/** Serves until it is stopped; its token is the same after a restart. */
export async function serve(
  { cwd: given, port, host: address, allowOrigin = [], allowLarge }: ServeOptions,
  host: Host,
): Promise<void> {
  const config = readConfig()
  if (config.telemetry?.isLogged) sendNotesTo(text => process.stderr.write(toLine(text)))
  const cwd = given ?? (config.shared ? [] : [currentFolder()]) // a shared store has workspaces of its own
  for (const dir of cwd) refuseStateInside(dir, config)
  const origins = allowOrigin.map(toOrigin)
  const webRoot = findWebRoot()
  const { publicUrl, trustsPeer } = config
  const hosts = [
    ...(isLoopback(address) ? [] : hostsFor(address)),
    ...nameIn(config.instanceUrl),
    ...(publicUrl ? [publicUrl.hostname] : []),
  ]
  const connection = unwrapOrExit(
    await host.connect(config, {
      webRoot,
      autoResume: true,
      watch: true,
      tells: true,
      hosts,
    }),
  )
  let listening: Listening | undefined
  try {
    const workspaceIds: string[] = []
    for (const dir of cwd) workspaceIds.push(await offer(connection, dir, { allowLarge }))
    const ownFetch = withOwnSettings(connection.fetch, {
      workspaceIds,
      chooseModel: () => connection.useModel(undefined, readConfig()),
    })
    connection.watchOwner()
    listening = await listenSomewhere(
      portFace(ownFetch, { hosts, webRoot, routes: host.routes, origins, publicUrl, trustsPeer }),
      address,
      port,
    )
    const { instanceUrl = `http://${addressFor(address)}:${listening.port}` } = config
    await connection.announce(instanceUrl)
    const origin = publicUrl?.origin ?? `http://${addressFor(address)}:${listening.port}`
    const isGathered = config.telemetry?.isLogged // whoever reads the log must not learn the token
    answer(`Filewright is at ${origin}/${isGathered ? '' : `?token=${connection.token}`}`)
    if (!isLoopback(address))
      note(
        'Other machines can reach this address; anyone with the token can work on these folders.',
      )
    const stopped = untilStopped(config.drainMs)
    await Promise.race([stopped, noteModel(connection)])
    await stopped
    note('Stopping.')
    await connection.leave(config.drainMs)
  } finally {
    await listening?.close()
    await connection.close()
  }
}

async function offer(
  connection: Connection,
  dir: string,
  { allowLarge }: Pick<ServeOptions, 'allowLarge'>,
): Promise<string> {
  const { workspaceId, root, recovery } = unwrapOrExit(
    await connection.openWorkspace(dir, { allowLarge, confirmScan }),
  )
  for (const sentence of recovery) note(sentence)
  if (!connection.isOwner())
    await settleScan({ connection, params: { workspaceId } }, { allowLarge })
  note(`Offering ${root} (${workspaceId})`)
  return workspaceId
}

/** As the log writes its lines. */
function toLine(text: string): string {
  return `${JSON.stringify({ time: new Date().toISOString(), level: 'info', event: 'Note', text })}\n`
}

function toOrigin(given: string): string {
  const origin = /^https?:/.test(given) && URL.canParse(given) ? new URL(given).origin : undefined
  if (origin !== undefined && origin === given.replace(/\/$/, '')) return origin
  throw new Exit(
    EXIT_CODES.invalid,
    `"${given}" is not an origin: it has a protocol, a host and a port, such as https://app.example`,
  )
}

/** Other instances call this one by the name they were told. */
function nameIn(url: string | undefined): string[] {
  return url && URL.canParse(url) ? [new URL(url).hostname] : []
}

function isLoopback(host: string): boolean {
  return ['127.0.0.1', 'localhost', '::1'].includes(host)
}
