import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, realpathSync, rmSync, statSync } from 'node:fs'
import { delimiter, isAbsolute, join, resolve, sep } from 'node:path'
import {
  fail,
  OUTSIDE_SERVER,
  OUTSIDE_SERVER_CHARACTERS,
  ok,
  type Result,
} from '@filewright/protocol'
import { readKept, writeKept } from './kept-object.ts'

/** How an MCP server outside is reached: a program that is started, or an address. */
export type OutsideConfig = OutsideProgram | OutsideAddress

export interface OutsideProgram {
  readonly type: 'stdio'
  readonly command: string
  readonly args: readonly string[]
  /** Variables with their values, as a person named them. */
  readonly env: Readonly<Record<string, string>>
  /** Variables of the process that starts it, which are passed on. */
  readonly pass: readonly string[]
}

export interface OutsideAddress {
  readonly type: 'http'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

export type OutsideConfigs = Readonly<Record<string, OutsideConfig>>

/** The servers that the person added; they hold keys, so the file is its user's alone. */
export function readOutsideServers(stateRoot: string): OutsideConfigs {
  const entries = Object.entries(readKept(join(stateRoot, SERVERS)))
  return Object.fromEntries(
    entries.flatMap(([name, kept]) => {
      const config = isServerName(name) ? toConfig(kept) : undefined
      return config ? [[name, config]] : []
    }),
  )
}

/** Undefined removes it. */
export function writeOutsideServer(
  stateRoot: string,
  name: string,
  config: OutsideConfig | undefined,
): void {
  const { [name]: _, ...others } = readOutsideServers(stateRoot)
  writeKept(join(stateRoot, SERVERS), config ? { ...others, [name]: config } : others)
}

/** Encrypted, or on this machine; what proves who asks is in headers, never in the address, which is shown. */
export function parseServerAddress(given: string): Result<string> {
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol))
    return wrong(`"${given}" is no address. Write it like https://mcp.example/mcp.`)
  if (url.username || url.password)
    return wrong('The address holds a name or a password. Give it in a header instead.')
  const isHere = url.hostname === 'localhost' || /^(127\.[\d.]+|\[::1\])$/.test(url.hostname)
  if (url.protocol === 'https:' || isHere) return ok(url.href)
  return wrong(
    `${url.origin} is not encrypted: anybody on the way can read and change what is sent there. Use https.`,
  )
}

function wrong(message: string): Result<never> {
  return fail('INVALID_ARGUMENT', message)
}

export function isServerName(name: string): boolean {
  return OUTSIDE_SERVER.test(name) && name.length <= OUTSIDE_SERVER_CHARACTERS
}

/** The hashes of a server's tools, as they were defined when a person added it or first used it. */
export type Pins = Readonly<Record<string, string>>

export function readPins(stateRoot: string, key: string): Pins | undefined {
  const path = pinsFile(stateRoot, key)
  if (!existsSync(path)) return undefined
  const kept = readKept(path) // without one that can be read no tool is as it was shown
  return Object.fromEntries(
    Object.entries(kept).flatMap(([name, hash]) =>
      typeof hash === 'string' ? [[name, hash]] : [],
    ),
  )
}

export function writePins(stateRoot: string, key: string, pins: Pins): void {
  writeKept(pinsFile(stateRoot, key), pins)
}

export function removePins(stateRoot: string, key: string): void {
  rmSync(pinsFile(stateRoot, key), { force: true })
}

/** One for each server and way to it; values of variables and headers change nothing. */
export function keyOf(name: string, config: OutsideConfig): string {
  const way = config.type === 'http' ? [config.url] : [config.command, ...config.args]
  return createHash('sha256')
    .update(JSON.stringify([name, config.type, way]))
    .digest('hex')
}

/** An empty folder that servers start in: not the workspace, whose files would be programs and settings of theirs. */
export function startFolder(stateRoot: string): string {
  const folder = join(stateRoot, 'mcp', 'start')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}

/** Where programs are looked for: not where npm put a folder's own, and not in the workspace. */
export function programPath(path: string, root: string | undefined): string {
  return path
    .split(delimiter)
    .filter(folder => isAbsolute(folder) && !/[\\/]node_modules[\\/]\.bin[\\/]?$/.test(folder))
    .filter(folder => root === undefined || !isInside(root, folder))
    .join(delimiter)
}

/** The program as it would be started; undefined: there is none. */
export function findProgram(command: string, path: string): string | undefined {
  if (isAbsolute(command)) return isFile(command) ? command : undefined
  const endings = process.platform === 'win32' ? ['', '.exe', '.cmd', '.bat'] : ['']
  for (const folder of path.split(delimiter))
    for (const ending of endings)
      if (folder !== '' && isFile(join(folder, command + ending)))
        return join(folder, command + ending)
  return undefined
}

/** A file of the workspace that the server would run, or read as its program or settings. */
export function findOwnFile(root: string, words: readonly string[]): string | undefined {
  const paths = words.flatMap(word => [word, word.slice(word.indexOf('=') + 1)])
  return paths.find(path => isAbsolute(path) && isFile(path) && isInside(root, path))
}

function isInside(root: string, path: string): boolean {
  const [own, other] = [real(root), real(path)]
  return other === own || other.startsWith(own.endsWith(sep) ? own : own + sep)
}

function real(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return resolve(path)
  }
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    return false
  }
}

const SERVERS = 'mcp.json'

function pinsFile(stateRoot: string, key: string): string {
  return join(stateRoot, 'mcp', `${key}.json`)
}

/** What a person wrote into the file by hand may be anything. */
function toConfig(kept: unknown): OutsideConfig | undefined {
  const { type, command, args = [], env = {}, pass = [], url, headers = {} } = Object(kept)
  if (type === 'http')
    return typeof url === 'string' && isTexts(Object.values(Object(headers)))
      ? { type, url, headers }
      : undefined
  const isProgram = typeof command === 'string' && isTexts(args) && isTexts(pass)
  return isProgram && isTexts(Object.values(Object(env)))
    ? { type: 'stdio', command, args, env, pass }
    : undefined
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(each => typeof each === 'string')
}
