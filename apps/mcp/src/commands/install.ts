import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { dirname, sep } from 'node:path'
import { currentFolder, Exit, note } from '@filewright/host'
import { EXIT_CODES, type Toolset } from '@filewright/protocol'
import { CLIENTS, type ClientName } from '../setup/clients.ts'
import {
  type Configuration,
  configurationOf,
  toSnippet,
  withEntry,
} from '../setup/configurations.ts'
import { startCommand } from '../setup/start-command.ts'

export interface InstallOptions {
  readonly client: string
  readonly dir?: string
  readonly toolset?: Toolset
  readonly write?: boolean
}

/** Prints what to put where, or puts it there. */
export function install({ client, dir, toolset, write }: InstallOptions): void {
  if (!isClient(client))
    throw new Exit(
      EXIT_CODES.invalid,
      `there is no client "${client}"; the clients are ${CLIENTS.join(', ')}`,
    )
  const folder = findFolder(dir ?? currentFolder())
  const place = { home: homedir(), platform: process.platform, dir: folder }
  const configuration = configurationOf(client, startCommand(folder, toolset), place)
  if (write) return writeInto(configuration, folder)
  const { title, file, oneLine, remark } = configuration
  note(file ? `For ${title}, in ${file}:` : `For ${title}:`)
  process.stdout.write(`${toSnippet(configuration)}\n`)
  if (oneLine) note(`Or in one line: ${oneLine}`)
  if (remark) note(remark)
  if (file) note(`With --write it is put there. Then: filewright mcp doctor`)
}

function writeInto({ title, file, content, remark }: Configuration, dir: string): void {
  if (file === undefined)
    throw new Exit(EXIT_CODES.unsupported, `${title} has no file for it. ${remark ?? ''}`)
  if (leadsOutside(file, dir))
    throw new Exit(
      EXIT_CODES.denied,
      `nothing was written: ${file} is behind a link that leads outside of the folder. Leave out --write, and put what is printed where you want it.`,
    )
  const text = withEntry(readIfThere(file), content)
  if (text === undefined)
    throw new Exit(
      EXIT_CODES.conflict,
      `nothing was written: ${file} has an entry of this name, or comments that would be lost. Leave out --write, and put what is printed there yourself.`,
    )
  replaceFile(file, text)
  process.stdout.write(`${file}\n`)
  note(`${title} starts Filewright from there. Restart it, or see: filewright mcp doctor`)
}

/** A file of the folder is the folder's, whatever a link in it says; one of the home folder may be a link of the person's. */
function leadsOutside(file: string, dir: string): boolean {
  if (!file.startsWith(dir + sep)) return false
  let found = file
  while (!lstatSync(found, { throwIfNoEntry: false })) found = dirname(found)
  if (!existsSync(found)) return true // a link to nothing
  const real = realpathSync(found)
  return real !== dir && !real.startsWith(dir + sep)
}

/** The file itself keeps its mode, because it may hold keys, and a link to it stays one. */
function replaceFile(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  const target = existsSync(file) ? realpathSync(file) : file
  const mode = existsSync(target) ? statSync(target).mode & 0o777 : 0o600
  const staged = `${target}.filewright-new`
  rmSync(staged, { force: true })
  writeFileSync(staged, text, { mode, flag: 'wx' })
  chmodSync(staged, mode)
  renameSync(staged, target)
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new Exit(EXIT_CODES.unavailable, `cannot read ${file}: ${(error as Error).message}`)
  }
}

function findFolder(dir: string): string {
  try {
    return realpathSync(dir)
  } catch {
    throw new Exit(EXIT_CODES.missing, `there is no folder ${dir}`)
  }
}

function isClient(name: string): name is ClientName {
  return (CLIENTS as readonly string[]).includes(name)
}
