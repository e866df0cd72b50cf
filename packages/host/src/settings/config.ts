import { createHash } from 'node:crypto'
import { homedir, userInfo } from 'node:os'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import {
  type FactsByModel,
  readProviderValues,
  readSetting,
  type ValuesByProvider,
} from '@filewright/loop'
import { EXIT_CODES } from '@filewright/protocol'
import type { BucketKeys } from '@filewright/server'
import { Exit } from '../exit/exit.ts'
import { readModelFacts } from './model-facts-file.ts'
import { type Secrets, SHORTEST_SECRET } from './sealed-text.ts'
import { AGENT_PUBLISH, API_KEY, BASE_URL, ENGINES, MODEL, OFFICE } from './settings.ts'
import { readSettings } from './settings-file.ts'
import { readTelemetry, type TelemetrySettings } from './telemetry-settings.ts'
import { parseProxies, type TrustsPeer } from './trusted-proxies.ts'

/** Everything the environment says, read here and nowhere else. */
export interface Config {
  /** Where state lives; never inside a workspace. */
  readonly stateRoot: string
  /** What keys in the settings are encrypted with. */
  readonly secrets: Secrets
  /** Settings that were encrypted with another secret. */
  readonly unreadable: readonly string[]
  /** Other places that may hold files of ours, which no tool may see in a workspace. */
  readonly ownFolders: readonly string[]
  readonly home: string | undefined
  /** Where the owner of that state answers. */
  readonly socketPath: string
  readonly model?: string
  readonly baseUrl?: string
  readonly apiKey?: string
  /** What is set for each provider. */
  readonly providers: ValuesByProvider
  /** What the person set for single models. */
  readonly modelFacts?: FactsByModel
  /** How many processes work on documents, as it was set. */
  readonly engines?: string
  /** Where LibreOffice is, as it was set. */
  readonly office?: string
  /** Where programs are looked for. */
  readonly programFolders: readonly string[]
  /** Who says yes to what the agents of other products would write, as it was set. */
  readonly agentPublish?: string
  /** A database and a bucket that several instances share; without them state lives in `stateRoot`. */
  readonly shared?: SharedSettings
  /** Where other instances reach this one, if not where it listens. */
  readonly instanceUrl?: string
  /** How long `serve` goes on serving after it was told to end. */
  readonly drainMs: number
  /** Where people reach this server, when something stands before it: an origin such as `https://filewright.example`. */
  readonly publicUrl?: URL
  /** Proxies that are believed about the host that was asked. */
  readonly trustsPeer: TrustsPeer
  /** For `attach`, and for instances with the same stores: the token that all of them take. */
  readonly token?: string
  /** Where figures, spans and the log go; undefined: nothing of it is loaded. */
  readonly telemetry?: TelemetrySettings
  readonly userName: string
  /** What the person's terminal can do: colours (NO_COLOR turns them off), and drawing over a line. */
  readonly hasColour: boolean
  readonly canRedraw: boolean
}

export interface SharedSettings {
  /** FILEWRIGHT_DATABASE */
  readonly database?: string
  /** FILEWRIGHT_BLOBS */
  readonly blobs?: string
  readonly keys: BucketKeys
}

export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const stateRoot = resolve(env.FILEWRIGHT_STATE || defaultStateRoot(env))
  const secrets = readSecrets(env)
  const { settings: saved, unreadable } = readSettings({ stateRoot, secrets })
  return {
    stateRoot,
    secrets,
    unreadable,
    home: findHome(),
    ownFolders: findHome() === undefined ? [] : [defaultStateRoot(env), codeFolder(env)],
    socketPath: socketPathFor(stateRoot),
    model: readSetting(MODEL, env, saved),
    baseUrl: readSetting(BASE_URL, env, saved),
    apiKey: readSetting(API_KEY, env, saved),
    providers: readProviderValues(env, saved),
    modelFacts: readModelFacts(stateRoot),
    engines: readSetting(ENGINES, env, saved),
    office: readSetting(OFFICE, env, saved),
    programFolders: (env.PATH ?? '').split(delimiter).filter(isAbsolute),
    agentPublish: readSetting(AGENT_PUBLISH, env, saved),
    shared: readShared(env),
    instanceUrl: env.FILEWRIGHT_INSTANCE_URL || undefined,
    drainMs: readSeconds('FILEWRIGHT_DRAIN_SECONDS', env) * 1000,
    publicUrl: readPublicUrl(env.FILEWRIGHT_PUBLIC_URL || undefined),
    trustsPeer: parseProxies(env.FILEWRIGHT_TRUSTED_PROXIES),
    token: env.FILEWRIGHT_TOKEN || undefined,
    telemetry: readTelemetry(env),
    userName: userName(),
    hasColour: !env.NO_COLOR && env.TERM !== 'dumb',
    canRedraw: env.TERM !== 'dumb',
  }
}

/** What an MCP server outside gets of the environment of the process that starts it. */
export interface OutsideEnvironment {
  readonly values: Readonly<Record<string, string>>
  /** PATH, as it is. */
  readonly path: string
  /** Variables that were named and are not set. */
  readonly missing: readonly string[]
}

/** What programs need to find their files and speak a language; nothing that could be a key. */
const HARMLESS = [
  ...['HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LANGUAGE', 'LC_ALL', 'LC_CTYPE', 'TZ', 'TMPDIR'],
  ...['SYSTEMROOT', 'SYSTEMDRIVE', 'TEMP', 'TMP', 'USERPROFILE', 'APPDATA', 'LOCALAPPDATA'],
  ...['PROGRAMFILES', 'PATHEXT', 'COMSPEC'],
]

export function outsideEnvironment(
  pass: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): OutsideEnvironment {
  const names = [...HARMLESS, ...pass].filter(name => env[name] !== undefined)
  return {
    values: Object.fromEntries(names.map(name => [name, env[name]!])),
    path: env.PATH ?? '',
    missing: pass.filter(name => env[name] === undefined),
  }
}

/** Up to an hour; 0 where nothing is set. */
function readSeconds(name: string, env: NodeJS.ProcessEnv): number {
  const text = env[name] || '0'
  if (/^\d{1,4}$/.test(text) && Number(text) <= 3600) return Number(text)
  throw new Exit(
    EXIT_CODES.invalid,
    `${name} is "${text.slice(0, 40)}"; it is a number of seconds from 0 to 3600.`,
  )
}

function readSecrets(env: NodeJS.ProcessEnv): Secrets {
  const current = env.FILEWRIGHT_SECRET || undefined
  const old = env.FILEWRIGHT_SECRET_OLD || undefined
  if (current !== undefined && current.length < SHORTEST_SECRET)
    throw new Exit(
      EXIT_CODES.invalid,
      `FILEWRIGHT_SECRET has ${current.length} characters, and whoever finds it reads your keys: use at least ${SHORTEST_SECRET} random ones, such as "openssl rand -base64 32" prints`,
    )
  return { current, old }
}

function readPublicUrl(given: string | undefined): URL | undefined {
  if (given === undefined) return undefined
  const url = URL.canParse(given) ? new URL(given) : undefined
  const isOrigin = url && /^https?:$/.test(url.protocol) && given.replace(/\/$/, '') === url.origin
  if (isOrigin) return url
  throw new Exit(
    EXIT_CODES.invalid,
    `FILEWRIGHT_PUBLIC_URL is "${given}": it must be a protocol, a host and perhaps a port, such as https://filewright.example`,
  )
}

function readShared(env: NodeJS.ProcessEnv): SharedSettings | undefined {
  const database = env.FILEWRIGHT_DATABASE || undefined
  const blobs = env.FILEWRIGHT_BLOBS || undefined
  if (!database && !blobs) return undefined
  return {
    database,
    blobs,
    keys: {
      region: env.AWS_REGION || env.AWS_DEFAULT_REGION || undefined,
      accessKeyId: env.AWS_ACCESS_KEY_ID || undefined,
      secretAccessKey: env.AWS_SECRET_ACCESS_KEY || undefined,
      sessionToken: env.AWS_SESSION_TOKEN || undefined,
      endpoint: env.AWS_ENDPOINT_URL_S3 || env.AWS_ENDPOINT_URL || undefined,
    },
  }
}

function defaultStateRoot(env: NodeJS.ProcessEnv): string {
  if (process.platform === 'win32')
    return join(absolute(env.LOCALAPPDATA) ?? homeFolder(), 'Filewright')
  if (process.platform === 'darwin')
    return join(homeFolder(), 'Library', 'Application Support', 'Filewright')
  return join(absolute(env.XDG_STATE_HOME) ?? join(homeFolder(), '.local', 'state'), 'filewright')
}

/** Where the command keeps its compiled code when it cannot write next to itself; the same as in bin/code-cache.cjs. */
function codeFolder(env: NodeJS.ProcessEnv): string {
  if (process.platform === 'win32')
    return join(absolute(env.LOCALAPPDATA) ?? join(homeFolder(), 'AppData/Local'), 'Filewright')
  if (process.platform === 'darwin') return join(homeFolder(), 'Library/Caches/Filewright')
  return join(absolute(env.XDG_CACHE_HOME) ?? join(homeFolder(), '.cache'), 'filewright')
}

/** The XDG rule: a path that depends on the current folder names nothing. */
function absolute(path: string | undefined): string | undefined {
  return path && isAbsolute(path) ? path : undefined
}

function homeFolder(): string {
  const home = findHome()
  if (home !== undefined) return home
  throw new Exit(
    EXIT_CODES.unavailable,
    'There is no home folder to keep state in: HOME is not set or not an absolute path. Set it, or set FILEWRIGHT_STATE to a writable folder.',
  )
}

/** None for a user the system does not know, as in some containers, and none that depends on the current folder. */
function findHome(): string | undefined {
  try {
    return isAbsolute(homedir()) ? homedir() : undefined
  } catch {
    return undefined
  }
}

function socketPathFor(stateRoot: string): string {
  if (process.platform !== 'win32') return join(stateRoot, 'owner.sock')
  const name = createHash('sha256').update(stateRoot).digest('hex').slice(0, 16)
  return `\\\\.\\pipe\\filewright-${name}`
}

function userName(): string {
  try {
    return userInfo().username
  } catch {
    return 'person' // a system without a user database
  }
}
