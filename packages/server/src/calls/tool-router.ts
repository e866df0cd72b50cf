import {
  type Answer,
  type ApprovalPolicy,
  type CallIds,
  type CallState,
  fail,
  isTooDeep,
  LIMITS,
  ok,
  type Result,
  similarNames,
  TOO_DEEP,
  type TurnEnvelope,
  toCallState,
  type WorkspaceId,
} from '@filewright/protocol'
import {
  catalog,
  findTool,
  repairArguments,
  type ServerContext,
  shapeOf,
  type Tool,
  type UnknownArgument,
  type UnknownField,
  unknownArguments,
  unknownFields,
  withoutNulls,
} from '@filewright/tools'
import type { ClientLink } from '../link/client-link.ts'
import { describeIssue } from '../words/describe-issue.ts'
import type { Logger } from '../words/logger.ts'

export interface RoutedCall {
  readonly ids: CallIds
  readonly workspaceId: WorkspaceId
  readonly tool: string
  /** An object, or its JSON text as a model sent it. */
  readonly arguments: unknown
  readonly policy: ApprovalPolicy
  readonly author: string
  /** Resolves when the call's row cannot be lost: no effect before. Absent where it cannot already. */
  readonly begun?: Promise<void>
  /** As the call's row has them, where the client keeps the call for a log that may lose it. */
  readonly loggedArguments?: string
}

/** Checks a call, runs it on the server or has the client run it. Ends in one outcome, or pending; it never throws. */
export interface ToolRouter {
  call(call: RoutedCall): Promise<CallState>
  /** How a client call stands, for whoever lost its answer. */
  state(workspaceId: WorkspaceId, toolCallId: string): Promise<Result<CallState | null>>
  abandon(workspaceId: WorkspaceId, toolCallId: string): Promise<void>
}

export interface ToolRouterOptions {
  readonly link: ClientLink
  readonly logger: Logger
  readonly contextFor: (call: RoutedCall) => ServerContext
}

export function createToolRouter({ link, logger, contextFor }: ToolRouterOptions): ToolRouter {
  async function route(call: RoutedCall): Promise<CallState> {
    const tool = findTool(call.tool)
    if (!tool) return refuse(call, unknownTool(call.tool))
    const parsed = parseArguments(tool, call.arguments)
    if (!parsed.ok) return refuse(call, parsed)
    const { input, ignored } = parsed.value
    const { server, preflight } = tool.handlers
    if (server) return runHere(call, () => server(input as never, contextFor(call)), ignored)
    if (!preflight) return forward(tool, call, input, ignored)
    const checked = await preflight(input as never, contextFor(call))
    if (!checked.ok) return refuse(call, checked)
    const warnings = (checked.value as { warnings?: readonly string[] }).warnings ?? []
    return forward(tool, call, checked.value, warnings)
  }

  async function runHere(
    call: RoutedCall,
    run: () => Promise<Result<Answer<unknown>>>,
    warnings: readonly string[],
  ): Promise<CallState> {
    const result = (await within(LIMITS.toolTimeoutMs, run)) ?? timedOut(call.tool)
    return toCallState(result as Result<Answer<Record<string, unknown>>>, call.ids, warnings)
  }

  async function forward(
    tool: Tool,
    call: RoutedCall,
    input: unknown,
    warnings: readonly string[],
  ): Promise<CallState> {
    const { ids, workspaceId, policy, author, begun, loggedArguments } = call
    logForwarded(tool, call, input)
    const isSent = link.isAttached(workspaceId)
    const asked = await link.ask(
      workspaceId,
      'tool-call',
      {
        turn: toTurn(ids, tool.declaration.name, input),
        policy,
        author,
        warnings,
        begun,
        input: { checked: input, logged: loggedArguments },
      },
      { timeoutMs: LIMITS.toolTimeoutMs },
    )
    if (asked.ok) {
      logReceived(logger, tool.declaration.name, asked.value)
      return asked.value
    }
    const isUnsure = isSent && tool.declaration.writes !== 'nothing'
    if (asked.failure.code === 'TIMEOUT') {
      const late = await abandonedOutcome(workspaceId, ids.toolCallId)
      if (late.ok && late.value) {
        logReceived(logger, tool.declaration.name, late.value)
        return late.value
      }
      return refuse(
        call,
        !late.ok && isUnsure ? unanswered('TIMEOUT', call.tool) : timedOut(call.tool),
      )
    }
    const isGone = asked.failure.code === 'CLIENT_GONE'
    return refuse(call, isGone && isUnsure ? unanswered('CLIENT_GONE', call.tool) : asked)
  }

  /**
   * Given up: it has no later effect, unless the effect is there already, which then is the answer. A client that does not
   * say so either leaves it open.
   */
  async function abandonedOutcome(
    workspaceId: WorkspaceId,
    toolCallId: string,
  ): Promise<Result<CallState | null>> {
    await link.ask(workspaceId, 'tool-cancel', { toolCallId }, { timeoutMs: 1000 })
    return link.ask(workspaceId, 'tool-state', { toolCallId }, { timeoutMs: 1000 })
  }

  function logForwarded(tool: Tool, call: RoutedCall, input: unknown) {
    const forwarded = tool.hooks?.events?.forwarded?.({ ids: call.ids, input: input as never })
    if (forwarded) logger.event(forwarded.event, forwarded.fields)
  }

  return {
    async call(call) {
      try {
        return await route(call)
      } catch (cause) {
        logger.error('Tool.Failed', cause, { tool: call.tool, toolCallId: call.ids.toolCallId })
        return refuse(
          call,
          fail(
            'INTERNAL_ERROR',
            `${call.tool} failed on an error of ours; the server's log has the cause. Trying the same again will most likely fail again.`,
          ),
        )
      }
    },
    state: (workspaceId, toolCallId) =>
      link.ask(workspaceId, 'tool-state', { toolCallId }, { timeoutMs: LIMITS.toolTimeoutMs }),
    async abandon(workspaceId, toolCallId) {
      await link.ask(workspaceId, 'tool-cancel', { toolCallId }, { timeoutMs: 1000 })
    },
  }
}

/** A client's result came in. */
export function logReceived(logger: Logger, tool: string, state: CallState) {
  if (!('outcome' in state)) return
  const received = findTool(tool)?.hooks?.events?.received?.(state.outcome.envelope)
  if (received) logger.event(received.event, received.fields)
}

/** What the turn hands to the client: this call, and its result is waited for. Its JSON is for those behind a wire. */
function toTurn(ids: CallIds, name: string, input: unknown): TurnEnvelope {
  const { sessionId, conversationId, turnId, toolCallId } = ids
  return {
    kind: 'client_tool_continuation',
    sessionId,
    conversationId,
    turnId,
    toolCalls: [
      {
        toolCallId,
        name,
        get argumentsJson() {
          return JSON.stringify(input)
        },
      },
    ],
  }
}

function refuse(call: RoutedCall, result: Result<never>): CallState {
  return toCallState(result, call.ids)
}

function unknownTool(name: string): Result<never> {
  const names = catalog.map(tool => tool.declaration.name)
  const similar = similarNames(name, names, 3)
  const hint = similar.length > 0 ? ` Did you mean ${similar.join(' or ')}?` : ''
  return fail(
    'UNKNOWN_TOOL',
    `There is no tool "${name}".${hint} The tools are ${names.join(', ')}.`,
    { details: { ...(similar.length > 0 && { similar }), tools: names } },
  )
}

interface ParsedArguments {
  readonly input: unknown
  /** A warning for each argument that the tool does not have. */
  readonly ignored: readonly string[]
}

/** All problems at once, each with its path in the arguments; the arguments as they were meant, where that is plain. */
function parseArguments(tool: Tool, given: unknown): Result<ParsedArguments> {
  const { name, input } = tool.declaration
  let value = given
  if (typeof given === 'string') {
    try {
      value = given.trim() === '' ? {} : JSON.parse(given)
    } catch (error) {
      return fail(
        'INVALID_ARGUMENT',
        `Cannot call ${name}: its arguments are not valid JSON (${(error as Error).message}). Send one JSON object.`,
      )
    }
  }
  if (isTooDeep(value)) return fail('INVALID_ARGUMENT', `Cannot call ${name}: ${TOO_DEEP}`)
  if (tool.declaration.checksOwnArguments) return ok({ input: value, ignored: [] })
  value = withoutNulls(input, value)
  const parsed = input.safeParse(value ?? {})
  const unknown = unknownArguments(input, value)
  const lacks = tool.declaration.lacks?.(value) ?? []
  const isLacked = (place: string) => lacks.some(own => place.startsWith(`${own.place}.`))
  const inside = unknownFields(tool.declaration, value).filter(({ place }) => !isLacked(place))
  const isWrite = tool.declaration.writes !== 'nothing'
  const isMisnamed = inside.some(({ meant }) => meant !== undefined)
  // a write that was asked for in another way than it can be done (append: true) would do what nobody asked for
  const isOther = unknown.some(({ isMeant, isRemark }) => isMeant || (isWrite && !isRemark))
  const isClear = !isOther && !isMisnamed && lacks.length === 0
  if (parsed.success && isClear)
    return ok({
      input: parsed.data,
      ignored: [...unknown.map(describeUnknown), ...inside.map(describeField)].map(
        sentence => `${sentence} It was left out of account.`,
      ),
    })
  const corrected = lacks.length > 0 ? undefined : repairArguments(tool.declaration, value)
  const issues = (parsed.success ? [] : parsed.error.issues).filter(
    issue => !isLacked(toPath(issue.path)),
  )
  const errors = [
    ...lacks.map(({ place, message }) => `${place}: ${message}`),
    ...issues.map(issue => `${toPath(issue.path) || 'arguments'}: ${describeIssue(issue)}`),
    ...unknown.map(describeUnknown),
    ...inside.map(describeField),
  ]
  return fail(
    'INVALID_ARGUMENT',
    `${isWrite ? 'Nothing was written: cannot' : 'Cannot'} call ${name}: ${errors.map(error => error.replace(/\.$/, '')).join('; ')}. Its arguments are ${shapeOf(input)}.${corrected ? ' If "corrected" is what you mean, send that.' : ''}`,
    { errors, ...(corrected && { details: { corrected } }) },
  )
}

function describeUnknown({ name, meant }: UnknownArgument): string {
  return `"${name}" is not an argument of it${meant ? `; "${meant}" is` : ''}.`
}

function describeField({ place, meant }: UnknownField): string {
  return `"${place}" is not a field of it${meant ? `; "${meant}" is` : ''}.`
}

function toPath(path: readonly PropertyKey[]): string {
  return path
    .map((part, i) =>
      typeof part === 'number' ? `[${part}]` : i === 0 ? String(part) : `.${String(part)}`,
    )
    .join('')
}

/** Undefined when it takes longer. */
function within<Value>(ms: number, run: () => Promise<Value>): Promise<Value | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(undefined), ms)
    timer.unref()
    run()
      .finally(() => clearTimeout(timer))
      .then(resolve, reject)
  })
}

function timedOut(tool: string): Result<never> {
  return fail(
    'TIMEOUT',
    `Nothing was changed: ${tool} took longer than ${LIMITS.toolTimeoutMs / 1000} s and was given up. Ask for less at once.`,
  )
}

/** It was sent, and nobody can say what came of it: that nothing was changed would be a guess. */
function unanswered(code: 'TIMEOUT' | 'CLIENT_GONE', tool: string): Result<never> {
  const reason =
    code === 'TIMEOUT'
      ? `The client did not answer within ${LIMITS.toolTimeoutMs / 1000} s`
      : 'The client went away before it answered'
  return fail(
    code,
    `${reason}, so it is not known whether ${tool} was done. Look at the files when the client is back, before you try again.`,
  )
}
