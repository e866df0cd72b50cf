import {
  Exit,
  type FolderOptions,
  type Host,
  note,
  pinnedTool,
  readConfig,
  unwrapOrExit,
} from '@filewright/host'
import { counted, EXIT_CODES, type GivenRule, type Rule } from '@filewright/protocol'
import { answer, answerJson } from '../../output/output.ts'

export function list(options: FolderOptions & { json?: boolean }, host: Host): Promise<void> {
  return host.inWorkspace(options, async ({ connection, params }) => {
    const rules = unwrapOrExit(await connection.call('listRules', { params }))
    if (options.json) return answerJson(rules)
    if (rules.every(({ effect }) => !['write', 'deny', 'ask'].includes(effect)))
      note('There are no rules for writes: each write to the workspace needs approval.')
    for (const rule of rules) answer(describe(rule))
  })
}

export function add(
  {
    effect,
    tool,
    path,
    maxBytes,
    ...options
  }: FolderOptions & Pick<GivenRule, 'effect' | 'tool' | 'path' | 'maxBytes'>,
  host: Host,
): Promise<void> {
  return host.inWorkspace(options, async ({ connection, params }) => {
    const sha256 = effect === 'call' ? definitionOf(tool) : undefined
    const rule = unwrapOrExit(
      await connection.call('addRule', { params, body: { effect, tool, path, maxBytes, sha256 } }),
    )
    answer(describe(rule))
  })
}

export function remove(
  { id: ruleId, ...options }: FolderOptions & { readonly id: string },
  host: Host,
): Promise<void> {
  return host.inWorkspace(options, async ({ connection, params }) => {
    unwrapOrExit(await connection.call('removeRule', { params: { ...params, ruleId } }))
    answer(`Removed ${ruleId}.`)
  })
}

function definitionOf(tool = ''): string {
  const sha256 = pinnedTool(readConfig().stateRoot, tool)
  if (sha256 !== undefined) return sha256
  throw new Exit(
    EXIT_CODES.missing,
    `no rule was made: there is no tool "${tool}" of an MCP server that you added. See: filewright mcp list`,
  )
}

function describe({ id, effect, tool, path, maxBytes, sessionId, sha256 }: Rule): string {
  if (effect === 'scan') return `${id}  scan  all of this folder, however large`
  if (effect === 'instructions')
    return `${id}  instructions  ${path}, as it was with sha256 ${sha256?.slice(0, 8)}`
  if (effect === 'call')
    return `${id}  call  ${tool}, as it is defined now (sha256 ${sha256?.slice(0, 8)})`
  const where = [
    tool ?? 'every tool',
    path ? `on ${path}` : 'on every path',
    maxBytes === undefined ? '' : `up to ${counted(maxBytes, 'byte')}`,
    sessionId ? `in session ${sessionId}` : '',
  ]
  return `${id}  ${effect}  ${where.filter(Boolean).join(' ')}`
}
