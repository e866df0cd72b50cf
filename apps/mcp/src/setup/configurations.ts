import { join } from 'node:path'
import { toShellWord } from '@filewright/protocol'
import type { ClientName } from './clients.ts'

/** How a client starts us. */
export interface StartCommand {
  readonly command: string
  readonly args: readonly string[]
}

export interface ClientPlace {
  readonly home: string
  readonly platform: NodeJS.Platform
  /** The folder that it works on. */
  readonly dir: string
}

/** What to put where, in the words of the client. */
export interface Configuration {
  readonly title: string
  /** Absent where the client has no file for it. */
  readonly file?: string
  readonly content: JsonEntry | TomlTable
  /** One line that does the same. */
  readonly oneLine?: string
  readonly remark?: string
}

/** An entry of a JSON file, by its path. */
export interface JsonEntry {
  readonly kind: 'json'
  readonly at: readonly [string, string]
  readonly value: unknown
}

export interface TomlTable {
  readonly kind: 'toml'
  readonly header: string
  readonly text: string
}

const NAME = 'filewright'
const header = `[mcp_servers.${NAME}]`

const TABLE: Readonly<
  Record<ClientName, (start: StartCommand, place: ClientPlace) => Configuration>
> = {
  'claude-code': (start, { dir }) => ({
    title: 'Claude Code',
    file: join(dir, '.mcp.json'),
    content: entry('mcpServers', plain(start)),
    oneLine: `claude mcp add ${NAME} -- ${[start.command, ...start.args].map(toShellWord).join(' ')}`,
  }),
  codex: (start, { home }) => ({
    title: 'Codex',
    file: join(home, '.codex/config.toml'),
    content: {
      kind: 'toml',
      header,
      text: toToml(header, start),
    },
    oneLine: `codex mcp add ${NAME} -- ${[start.command, ...start.args].map(toShellWord).join(' ')}`,
  }),
  opencode: (start, { home }) => ({
    title: 'opencode',
    file: join(home, '.config/opencode/opencode.json'),
    content: entry('mcp', {
      type: 'local',
      command: [start.command, ...start.args],
      enabled: true,
    }),
  }),
  zed: (start, { home }) => ({
    title: 'Zed',
    file: join(home, '.config/zed/settings.json'),
    content: entry('context_servers', { ...plain(start), env: {} }),
  }),
  cursor: (start, { home }) => ({
    title: 'Cursor',
    file: join(home, '.cursor/mcp.json'),
    content: entry('mcpServers', plain(start)),
  }),
  vscode: (start, { dir }) => ({
    title: 'VS Code',
    file: join(dir, '.vscode/mcp.json'),
    content: entry('servers', { type: 'stdio', ...plain(start) }),
  }),
  'claude-desktop': (start, place) => ({
    title: 'Claude Desktop',
    file: join(desktopFolder(place), 'claude_desktop_config.json'),
    content: entry('mcpServers', plain(start)),
  }),
  gemini: (start, { home }) => ({
    title: 'Gemini CLI',
    file: join(home, '.gemini/settings.json'),
    content: entry('mcpServers', plain(start)),
  }),
  jetbrains: start => ({
    title: 'JetBrains AI Assistant',
    content: entry('mcpServers', plain(start)),
    remark: 'Paste it under Settings, Tools, AI Assistant, Model Context Protocol, Add, As JSON.',
  }),
}

export function configurationOf(
  client: ClientName,
  start: StartCommand,
  place: ClientPlace,
): Configuration {
  return TABLE[client](start, place)
}

/** As a person pastes it. */
export function toSnippet({ content }: Configuration): string {
  if (content.kind === 'toml') return content.text.trimEnd()
  const [list, name] = content.at
  return JSON.stringify({ [list]: { [name]: content.value } }, null, 2)
}

/** The text of the file with the entry in it; undefined where the file cannot be changed without losing something. */
export function withEntry(
  text: string | undefined,
  content: JsonEntry | TomlTable,
): string | undefined {
  if (content.kind === 'toml') {
    if (text === undefined || text.trim() === '') return content.text
    return takesTable(text) ? `${text.trimEnd()}\n\n${content.text}` : undefined
  }
  const [list, name] = content.at
  const whole = text === undefined || text.trim() === '' ? {} : parseObject(text)
  if (!whole) return undefined
  const listed = (whole[list] ?? {}) as Readonly<Record<string, unknown>>
  const entries = { ...listed, [name]: content.value }
  return `${JSON.stringify({ ...whole, [list]: entries }, null, 2)}\n`
}

/** TOML defines a table once: beside an inline table, a list or an entry of this name another is no TOML. */
const DEFINED = new RegExp(
  [
    /^\s*\[*\s*["']?mcp_servers["']?\s*(=|\.\s*["']?NAME["']?\s*[\].=])/,
    /^\s*\[\[\s*["']?mcp_servers/,
    /^\s*["']?NAME["']?\s*[.=]/,
  ]
    .map(({ source }) => source.replace('NAME', NAME))
    .join('|'),
  'm',
)

function takesTable(text: string): boolean {
  const isInText = ['"""', "'''"].some(mark => text.split(mark).length % 2 === 0)
  return !isInText && !DEFINED.test(text)
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined // comments, most of the time
  }
}

function entry(list: string, value: unknown): JsonEntry {
  return { kind: 'json', at: [list, NAME], value }
}

function toToml(head: string, { command, args }: StartCommand): string {
  const lines = Object.entries({ command, args }).map(([key, value]) =>
    [key, JSON.stringify(value)].join(' = '),
  )
  return [head, ...lines, ''].join('\n')
}

function plain({ command, args }: StartCommand) {
  return { command, args }
}

function desktopFolder({ home, platform }: ClientPlace): string {
  if (platform === 'darwin') return join(home, 'Library/Application Support/Claude')
  if (platform === 'win32') return join(home, 'AppData/Roaming/Claude')
  return join(home, '.config/Claude')
}
