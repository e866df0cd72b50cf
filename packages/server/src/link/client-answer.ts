import {
  type AnswerOf,
  answerSchemas,
  type CallIds,
  type ClientMethod,
  type ClientMethods,
  type Effect,
  type Envelope,
  type Fields,
  fail,
  type JsonRoute,
  KINDS,
  type Kind,
  type LinkRequest,
  lookUp,
  ok,
  type Pending,
  parseDocPath,
  type Result,
  type ToolOutcome,
  type TurnEnvelope,
} from '@filewright/protocol'
import { findTool } from '@filewright/tools'
import { describeIssue } from '../words/describe-issue.ts'

export interface AnswerSource {
  /** It came over HTTP, perhaps from somebody else's client, so it is checked against what the routes promise. */
  readonly isForeign?: boolean
}

/**
 * Reads what a client answered. The client may be anybody's: an answer that cannot be read becomes a failure that says
 * so, and an outcome with only the tool's own fields gets the frame that every envelope has.
 */
export function readAnswer(
  request: LinkRequest,
  given: unknown,
  { isForeign = false }: AnswerSource = {},
): Result<unknown> {
  const result = asFields(given)
  if (result?.ok === false) {
    const failure = asFields(result.failure)
    const isWhole = typeof failure?.message === 'string' && typeof failure.code === 'string'
    if (!isWhole) return unreadable(request)
    return isKind(failure.kind) && Array.isArray(failure.errors)
      ? (given as Result<never>)
      : fail('INTERNAL_ERROR', failure.message as string, { kind: 'internal' })
  }
  if (result?.ok !== true || !fits(request, result.value)) return unreadable(request)
  const wrong = isForeign ? findWrong(request, result.value) : undefined
  if (wrong) return unreadable(request, wrong)
  if (request.method !== 'tool-call') return given as Result<unknown>
  const { outcome, pending } = result.value as { outcome?: ToolOutcome; pending?: Pending }
  const { toolCallId } = request.params.turn.toolCalls[0]!
  if (pending && pending.toolCallId !== toolCallId)
    return ok({ pending: { ...pending, pending: true, toolCallId } })
  if (!outcome || isWhole(outcome, request.params.turn)) return given as Result<unknown>
  return ok({ outcome: completed(outcome, request.params.turn) })
}

type RouteAnswering<Value> = {
  [Name in JsonRoute]: Value extends AnswerOf<Name> ? Name : never
}[JsonRoute]

/** Routes that pass the client's answer on. */
const HANDED_ON: {
  readonly [Method in ClientMethod]?: RouteAnswering<ClientMethods[Method]['value']>
} = {
  files: 'listFiles',
  upload: 'putContent',
  'change-sets': 'listChangeSets',
  grid: 'grid',
  'draft-list': 'listDrafts',
  'draft-review': 'review',
  'draft-publish': 'publish',
  'draft-resolve': 'resolve',
  'draft-discard': 'discard',
  undo: 'undo',
  redo: 'redo',
  restore: 'restore',
  'approval-list': 'listApprovals',
  'approval-decide': 'decide',
  'rule-list': 'listRules',
  'rule-add': 'addRule',
  'rule-remove': 'removeRule',
}

let schemas: ReturnType<typeof answerSchemas> | undefined

/** The first thing in it that breaks the route's schema. A file must be the one asked for. */
function findWrong({ method, params }: LinkRequest, value: unknown): string | undefined {
  if (method === 'source') {
    const { path } = value as { path: string }
    const docPath = parseDocPath(path)
    const isAsked = docPath.ok && docPath.value === params.docPath
    return isAsked ? undefined : `path: must be a spelling of "${params.docPath}"`
  }
  const route = HANDED_ON[method]
  if (!route) return undefined
  schemas ??= answerSchemas()
  const issue = schemas[route].safeParse(value ?? null).error?.issues[0]
  return issue && `${issue.path.join('.') || 'value'}: ${describeIssue(issue)}`
}

function fits({ method }: LinkRequest, value: unknown): boolean {
  const fields = asFields(value)
  switch (method) {
    case 'source':
    case 'content':
      return typeof fields?.sha256 === 'string' && typeof fields.path === 'string'
    case 'files':
      return Array.isArray(fields?.files)
    case 'tool-state':
      return value === null || isState(fields)
    case 'tool-call':
      return isState(fields)
    case 'call-allowed':
      return value === 'allow' || value === 'deny' || value === 'ask'
    case 'draft-deeds':
      return Array.isArray(value) && value.every(isDeed)
    default:
      return true // passed on to the caller
  }
}

const ACTIONS: ReadonlySet<unknown> = new Set(['published', 'discarded', 'undone', 'redone'])

function isDeed(value: unknown): boolean {
  const deed = asFields(value)
  const files = Array.isArray(deed?.files) ? deed.files : [null]
  return (
    ACTIONS.has(deed?.action) &&
    typeof deed?.draftId === 'string' &&
    typeof deed.sessionId === 'string' &&
    files.every(file => typeof asFields(file)?.path === 'string')
  )
}

function isState(value: Fields | undefined): boolean {
  const pending = asFields(value?.pending)
  if (pending) return typeof pending.approvalId === 'string' && typeof pending.message === 'string'
  return typeof asFields(asFields(value?.outcome)?.envelope)?.success === 'boolean'
}

/** `text` may be computed on first use, so it is not read here. */
function isWhole(outcome: ToolOutcome, { toolCalls }: TurnEnvelope): boolean {
  const { envelope } = outcome
  return (
    'text' in outcome &&
    envelope.toolCallId === toolCalls[0]!.toolCallId &&
    Array.isArray(envelope.errors) &&
    Array.isArray(envelope.warnings) &&
    (outcome.effects !== undefined || !envelope.success || !writesFiles(toolCalls[0]!.name))
  )
}

function writesFiles(tool: string): boolean {
  return findTool(tool)?.declaration.writes === 'workspace'
}

function completed(outcome: ToolOutcome, turn: TurnEnvelope): ToolOutcome {
  const given: Fields = outcome.envelope
  const { toolCallId, name, argumentsJson } = turn.toolCalls[0]!
  const { sessionId, conversationId, turnId } = turn
  const { success } = outcome.envelope
  const message =
    typeof given.message === 'string' ? given.message : success ? 'Done.' : 'It failed.'
  const code = typeof given.errorCode === 'string' ? given.errorCode : 'INTERNAL_ERROR'
  const frame = {
    success,
    errorCode: success ? null : code,
    ...(!success && { kind: isKind(given.kind) ? given.kind : kindOf(name, code) }),
    message,
    errors: Array.isArray(given.errors) ? given.errors : success ? [] : [message],
    warnings: Array.isArray(given.warnings) ? given.warnings : [],
  }
  const ids = { sessionId, conversationId, turnId, toolCallId } as CallIds
  const envelope: Envelope = { ...frame, ...given, ...frame, ...ids }
  const told = success ? message : `${code}: ${message}`
  return {
    envelope,
    text: typeof outcome.text === 'string' ? outcome.text : told,
    effects: outcome.effects ?? (success ? effectsOf(name, argumentsJson, given) : []),
  }
}

/** The effects of a client that does not report them, for the closing line a person reads. */
function effectsOf(name: string, argumentsJson: string, told: Fields): readonly Effect[] {
  const { toEffects } = findTool(name)?.hooks ?? {}
  return toEffects?.(JSON.parse(argumentsJson) as never, told) ?? []
}

function kindOf(tool: string, code: string): Kind {
  return lookUp(findTool(tool)?.declaration.failures, code) ?? 'internal'
}

function isKind(value: unknown): value is Kind {
  return KINDS.includes(value as Kind)
}

function asFields(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null ? (value as Fields) : undefined
}

function unreadable({ method }: LinkRequest, wrong?: string): Result<never> {
  return fail(
    'INTERNAL_ERROR',
    `The client of this workspace sent an invalid answer to "${method}"${wrong ? ` (${wrong})` : ''}. This is an error in the client; docs/client-protocol.md says what is expected.`,
  )
}
