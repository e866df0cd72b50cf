import { type Connection, Exit, type Host, note, readConfig, unwrapOrExit } from '@filewright/host'
import {
  type DecisionSummary,
  EXIT_CODES,
  RIGHTS,
  type Right,
  type TokenLimits,
  type TokenSummary,
} from '@filewright/protocol'
import { answer, answerData, answerJson } from '../../output/output.ts'

interface ListOptions {
  readonly all?: boolean
  readonly json?: boolean
}

interface CreateOptions extends TokenLimits {
  readonly name: string
  readonly right: readonly string[]
  readonly workspace: readonly string[]
  readonly agent?: boolean
  readonly expires?: string
  readonly json?: boolean
}

export function list({ all, json }: ListOptions, host: Host): Promise<void> {
  return atServer(host, async connection => {
    const query = all ? ({ all: 'true' } as const) : {}
    const { tokens } = unwrapOrExit(await connection.call('listTokens', { query }))
    if (json) return answerJson(tokens)
    if (tokens.length === 0) note('There is no token besides the one of the server itself.')
    for (const token of tokens) answer(describe(token))
  })
}

/** The token alone goes to stdout, so that a script can take it. */
export function create(
  { name, right, workspace, agent, expires, json, ...limits }: CreateOptions,
  host: Host,
): Promise<void> {
  const set = Object.entries(limits).filter(([, most]) => most !== undefined)
  const body = {
    name,
    rights: right.flatMap(toRight),
    workspaces: workspace.includes('all') ? ('all' as const) : workspace,
    isAgent: agent ?? false,
    ...(expires && { expires }),
    ...(set.length > 0 && { limits: Object.fromEntries(set) }),
  }
  return atServer(host, async connection => {
    const made = unwrapOrExit(await connection.call('createToken', { body }))
    if (json) return answerJson(made)
    answerData(made.token)
    note(`${describe(made)}\nThis is the only time that the token is shown.`)
  })
}

export function revoke({ id: tokenId }: { readonly id: string }, host: Host): Promise<void> {
  return atServer(host, async connection => {
    const { name } = unwrapOrExit(await connection.call('revokeToken', { params: { tokenId } }))
    answer(`${tokenId} (${name}) is revoked: nobody gets in with it any more.`)
  })
}

interface LogOptions {
  readonly workspace?: string
  readonly before?: number
  readonly json?: boolean
}

export function log({ json, ...query }: LogOptions, host: Host): Promise<void> {
  return atServer(host, async connection => {
    const found = unwrapOrExit(await connection.call('listDecisions', { query }))
    if (json) return answerJson(found)
    if (found.decisions.length === 0) note('Nothing was decided.')
    for (const decision of found.decisions) answer(describeDecision(decision))
    if (found.next !== undefined) note(`Older ones: --before ${found.next}`)
  })
}

function describeDecision(decision: DecisionSummary): string {
  const { position, time, name, action, target, workspaceId, outcome, result, details } = decision
  const ended = outcome === undefined ? 'the end is not known' : [outcome, result].join(' ').trim()
  const about = [target, workspaceId].filter(each => each !== undefined).join(' in ')
  return [position, time, name, action, about, ended, JSON.stringify(details)].join('  ')
}

/** No folder is opened: tokens belong to the server. */
async function atServer(
  host: Host,
  work: (connection: Connection) => Promise<void>,
): Promise<void> {
  const connection = unwrapOrExit(await host.connect(readConfig()))
  try {
    await work(connection)
  } finally {
    await connection.close()
  }
}

function toRight(text: string): Right[] {
  const named = text.split(',').filter(Boolean)
  const unknown = named.find(each => !(RIGHTS as readonly string[]).includes(each))
  if (unknown === undefined) return named as Right[]
  throw new Exit(
    EXIT_CODES.invalid,
    `there is no right "${unknown}": the rights are ${RIGHTS.join(', ')}`,
  )
}

function describe(token: TokenSummary): string {
  const { tokenId, name, rights, workspaces, isAgent, lastUsed, expires, revoked } = token
  return [
    tokenId,
    name,
    `${rights.join(' ')}${isAgent ? ' (an agent)' : ''}`,
    workspaces === 'all' ? 'all workspaces' : workspaces.join(' '),
    ...(expires ? [`until ${expires}`] : []),
    revoked ? `revoked ${revoked}` : lastUsed ? `last used ${lastUsed}` : 'not used yet',
    ...describeLimits(token),
  ].join('  ')
}

const UNITS: Readonly<Record<keyof TokenLimits, string>> = {
  requestsPerMinute: 'requests a minute',
  runs: 'runs at once',
  modelTokens: 'model tokens a month',
  dollars: 'dollars a month',
  storageBytes: 'bytes',
}

function describeLimits({ limits = {}, used }: TokenSummary): string[] {
  return Object.entries(limits).map(([name, most]) => {
    const spent = (used as Partial<Record<string, number>> | undefined)?.[name]
    return `${spent === undefined ? '' : `${spent} of `}${most} ${UNITS[name as keyof TokenLimits]}`
  })
}
