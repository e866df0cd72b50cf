import { existsSync, readdirSync, statfsSync, statSync } from 'node:fs'
import { arch, platform, release, totalmem } from 'node:os'
import { join } from 'node:path'
import { openDiskWorkspace } from '@filewright/client'
import {
  type Config,
  type Connection,
  type FolderOptions,
  findOwnFolders,
  type Host,
  readConfig,
  realFolder,
  startEngines,
  unwrapOrExit,
  version,
  whileWaiting,
} from '@filewright/host'
import { providersSetUp } from '@filewright/loop'
import { counted, ROUTES, visibleName } from '@filewright/protocol'
import { catalog } from '@filewright/tools'
import { answer } from '../../output/output.ts'

/** Versions and counts: no content, path or key; details of a folder only on request. */
export async function doctor({ cwd, allowLarge }: FolderOptions, host: Host): Promise<void> {
  const config = readConfig()
  const lines: [string, string][] = [
    ['filewright', version],
    ['node', process.version],
    ['system', `${platform()} ${release()} ${arch()}`],
    ['memory', `${Math.round(totalmem() / 2 ** 30)} GB`],
    ['tools', String(catalog.length)],
    ['routes', String(Object.keys(ROUTES).length)],
    ['model', config.model ? 'set' : 'not set'],
    ['base URL', config.baseUrl ? 'set' : 'not set'],
    ['keys', keysOf(config).join(', ') || 'none'],
    ['LibreOffice', await whileWaiting('Looking for LibreOffice', () => lookForOffice(config))],
  ]
  let isScanAllowed = allowLarge ?? false
  const connection = await host.connect(config)
  if (connection.ok) {
    const workspaces = await connection.value.call('listWorkspaces')
    lines.push([
      'state',
      connection.value.isOwner()
        ? 'owned by this process'
        : 'owned by another process that answers',
    ])
    lines.push([
      'workspaces',
      workspaces.ok ? String(workspaces.value.workspaces.length) : workspaces.failure.message,
    ])
    lines.push(['disk used', megabytes(diskUse(config.stateRoot))])
    lines.push(['  drafts, undo', megabytes(diskUse(join(config.stateRoot, 'workspaces')))])
    const damaged = damagedDrafts(config.stateRoot)
    if (damaged > 0)
      lines.push([
        '  damaged',
        `${counted(damaged, 'draft')} that cannot be read; "filewright draft list" shows where`,
      ])
    for (const place of damagedLogs(config.stateRoot)) lines.push(['  damaged', `kept as ${place}`])
    const disk = statfsSync(config.stateRoot)
    lines.push(['free disk', `${Math.round((disk.bavail * disk.bsize) / 2 ** 30)} GB`])
    if (cwd !== undefined) isScanAllowed ||= await saysScan(connection.value, cwd)
    await connection.value.close()
  } else lines.push(['state', connection.failure.message])
  if (cwd !== undefined) {
    const look = () => lookAt(cwd, config, isScanAllowed)
    lines.push(...(await whileWaiting('Looking at the folder', look)))
  }
  for (const [name, value] of lines) answer(`${name.padEnd(14)} ${value}`)
}

const OFFICE = {
  ready: 'there, and kept from the network: files can be drawn and exported',
  missing: 'not found; "filewright config set office PATH" names its soffice',
  unboxed: 'there, but cannot be kept from the network here, so it is not used',
} as const

async function lookForOffice(config: Config): Promise<string> {
  const { engines, close } = startEngines(config)
  const state = await engines.office.look()
  await close()
  return OFFICE[state]
}

/** Whose they are, not what they are. */
function keysOf({ providers, apiKey }: Config): string[] {
  return [...providersSetUp(providers), ...(apiKey ? ['of the base URL'] : [])]
}

/** A person said yes to this folder before. */
async function saysScan(connection: Connection, dir: string): Promise<boolean> {
  const opened = await connection.openWorkspace(dir)
  if (!opened.ok) return false
  const { workspaceId } = opened.value
  const rules = await connection.call('listRules', { params: { workspaceId } })
  return rules.ok && rules.value.some(({ effect }) => effect === 'scan')
}

/** Counts, and the names that no tool can use: those that a list leaves out. */
async function lookAt(
  dir: string,
  config: Config,
  allowLarge: boolean,
): Promise<[string, string][]> {
  const root = unwrapOrExit(realFolder(dir))
  const ownFolders = unwrapOrExit(findOwnFolders(root, config))
  const workspace = unwrapOrExit(await openDiskWorkspace(root, { ownFolders }))
  let files = 0
  const unusable: [string, string][] = []
  for await (const entry of workspace.list({ allowLarge })) {
    if (entry.kind === 'question') return [['folder', entry.message]]
    if (entry.kind === 'file') files++
    if (entry.kind === 'unusable')
      unusable.push(['  not usable', `"${visibleName(entry.path)}": ${entry.reason}`])
  }
  const exchange = await workspace.probeExchange?.()
  return [
    ['folder', `${counted(files, 'file')}, ${unusable.length} that no tool can use`],
    ...(exchange ? ([['  replacing', exchange]] as [string, string][]) : []),
    ...unusable,
  ]
}

function diskUse(folder: string): number {
  if (!existsSync(folder)) return 0
  let bytes = 0
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile())
      bytes += statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0
  return bytes
}

/** Set aside by the client that found them, in any workspace. */
function damagedDrafts(stateRoot: string): number {
  const folder = join(stateRoot, 'workspaces')
  if (!existsSync(folder)) return 0
  return readdirSync(folder)
    .map(name => join(folder, name, 'drafts/damaged'))
    .filter(existsSync)
    .reduce((count, found) => count + readdirSync(found).length, 0)
}

/** Rules and lists that could not be read whole: where the client that found them kept them, in the state folder. */
function damagedLogs(stateRoot: string): string[] {
  return ['workspaces', 'attached'].flatMap(folder =>
    namesIn(join(stateRoot, folder)).flatMap(workspace =>
      namesIn(join(stateRoot, folder, workspace, 'damaged')).map(name =>
        [folder, workspace, 'damaged', name].join('/'),
      ),
    ),
  )
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).sort() : []
}

function megabytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MB`
}
