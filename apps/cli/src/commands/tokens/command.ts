import {
  argument,
  type CommandGroup,
  defineCommand,
  option,
  parsed,
  required,
} from '@filewright/host'
import { fail, ok, type Result, RIGHTS } from '@filewright/protocol'
import { asData } from '../options.ts'

const list = defineCommand({
  name: 'list',
  summary: 'each with what it may do and when it was last used',
  isDefault: true,
  options: { all: option('--all', 'revoked ones too'), json: asData },
  run: async (given, host) => (await import('./tokens.ts')).list(given, host),
})

const create = defineCommand({
  name: 'create',
  summary: 'a new token; it is printed once and kept nowhere',
  arguments: { name: argument('<name>', 'whose it is, such as "anna" or "nightly report"') },
  options: {
    right: required(
      option(
        '--right <rights...>',
        `${RIGHTS.join(', ')}: edit writes drafts and runs models, approve decides and publishes, admin offers folders and makes tokens`,
      ),
    ),
    workspace: required(
      option('--workspace <ids...>', 'the workspaces that it reaches, or "all" for every one'),
    ),
    agent: option('--agent', "a program's, which may read and edit and never decides"),
    expires: parsed('--expires <when>', 'after 12h, 30d or on a date such as 2027-01-31', toTime),
    requestsPerMinute: parsed('--requests-per-minute <n>', 'then it is told to wait', toMost),
    runs: parsed('--runs <n>', 'of models at one time', toMost),
    modelTokens: parsed('--model-tokens <n>', 'a month', toMost),
    dollars: parsed('--dollars <n>', 'for models, a month', toMost),
    storageBytes: parsed('--storage-bytes <n>', 'that it puts, in all', toMost),
    json: asData,
  },
  run: async (given, host) => (await import('./tokens.ts')).create(given, host),
})

const revoke = defineCommand({
  name: 'revoke',
  summary: 'end it now, on every instance',
  arguments: { id: argument('<id>', 'as list shows it') },
  run: async (given, host) => (await import('./tokens.ts')).revoke(given, host),
})

const log = defineCommand({
  name: 'log',
  summary: 'who approved, published, took back, made rules and tokens: newest first',
  options: {
    workspace: option('--workspace <id>', 'of this one alone'),
    before: parsed('--before <n>', 'older ones: the number of the last row shown', toMost),
    json: asData,
  },
  run: async (given, host) => (await import('./tokens.ts')).log(given, host),
})

const tokens: CommandGroup = {
  name: 'tokens',
  summary: 'who may use the server, besides you',
  commands: [list, create, revoke, log],
}

export default tokens

const UNITS = { h: 60 * 60_000, d: 24 * 60 * 60_000 } as const

function toTime(text: string): Result<string> {
  const [, count, unit] = /^(\d{1,5})([hd])$/.exec(text) ?? []
  if (count)
    return ok(new Date(Date.now() + Number(count) * UNITS[unit as 'h' | 'd']).toISOString())
  const time = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN
  if (!Number.isNaN(time)) return ok(new Date(time).toISOString())
  return fail('INVALID_ARGUMENT', 'It must be such as 12h, 30d or 2027-01-31.')
}

function toMost(text: string): Result<number> {
  const most = Number(text)
  if (/^\d{1,15}(\.\d+)?$/.test(text) && most > 0) return ok(most)
  return fail('INVALID_ARGUMENT', 'It must be a number above 0.')
}
