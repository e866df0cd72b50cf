import {
  type Answer,
  type CallState,
  fail,
  LIMITS,
  quotedTool,
  type Result,
  similarTools,
  toCallState,
  type WorkspaceId,
} from '@filewright/protocol'
import { catalog, findTool, type ServerContext, type Tool } from '@filewright/tools'
import { StoreAway } from '../store/store-away.ts'
import { abandonCall, type ForwardParts, forwardCall } from './forward-call.ts'
import { offerRelative } from './offer-relative.ts'
import { toQuestion } from './question-id.ts'
import type { RoutedCall } from './routed-call.ts'
import { timedOut } from './timed-out.ts'
import { parseToolArguments } from './tool-arguments.ts'

/** Checks a call and runs it, here or on the client. It ends in one outcome, or pending, and throws for nothing but stores that are away. */
export interface ToolRouter {
  call(call: RoutedCall): Promise<CallState>
  /** The state of a client call whose answer was lost. */
  state(workspaceId: WorkspaceId, toolCallId: string): Promise<Result<CallState | null>>
  abandon(workspaceId: WorkspaceId, toolCallId: string): Promise<void>
}

export interface ToolRouterOptions extends ForwardParts {
  readonly contextFor: (call: RoutedCall) => ServerContext
  readonly rootOf: (workspaceId: WorkspaceId) => Promise<string | undefined>
}

export function createToolRouter(options: ToolRouterOptions): ToolRouter {
  const { link, logger, contextFor, rootOf } = options

  async function route(call: RoutedCall): Promise<CallState> {
    const tool = findTool(call.tool)
    if (!tool) return refuse(call, unknownTool(call.tool))
    const state = await run(tool, call)
    return offerRelative(state, tool, call, () => rootOf(call.workspaceId))
  }

  async function run(tool: Tool, call: RoutedCall): Promise<CallState> {
    const parsed = parseToolArguments(tool, call.arguments)
    if (!parsed.ok) return asSpecified(tool, refuse(call, parsed))
    const { input, ignored } = parsed.value
    const { server, preflight } = tool.handlers
    if (server) {
      const run = () => server(input as never, contextFor(call))
      return asSpecified(tool, await runHere(call, run, ignored))
    }
    if (!preflight) return forwardCall(options, { tool, call, input, warnings: ignored })
    const check = () => preflight(input as never, contextFor(call))
    const checked = (await within(LIMITS.toolTimeoutMs, check)) ?? timedOut(call.tool)
    if (!checked.ok) return refuse(call, checked)
    const warnings = (checked.value as { warnings?: readonly string[] }).warnings ?? []
    return forwardCall(options, { tool, call, input: checked.value, warnings })
  }

  return {
    async call(call) {
      try {
        return await route(call)
      } catch (cause) {
        if (call.isInRun && cause instanceof StoreAway) throw cause
        logger.error('Tool.Failed', cause, { tool: call.tool, toolCallId: call.ids.toolCallId })
        return refuse(
          call,
          fail(
            'INTERNAL_ERROR',
            `${call.tool} failed with an internal error; the server's log has the cause. The same call will probably fail again.`,
          ),
        )
      }
    },
    state: (workspaceId, toolCallId) =>
      link.ask(workspaceId, 'tool-state', { toolCallId }, { timeoutMs: LIMITS.toolTimeoutMs }),
    abandon: (workspaceId, toolCallId) => abandonCall(link, workspaceId, toolCallId),
  }
}

async function runHere(
  call: RoutedCall,
  run: () => Promise<Result<Answer<unknown>>>,
  warnings: readonly string[],
): Promise<CallState> {
  const result = (await within(LIMITS.toolTimeoutMs, run)) ?? timedOut(call.tool)
  if (result.ok && result.value.asks)
    return { pending: toQuestion(call.ids.toolCallId, result.value.asks) }
  return toCallState(result as Result<Answer<Record<string, unknown>>>, call.ids, warnings)
}

function asSpecified({ declaration }: Tool, state: CallState): CallState {
  if (!declaration.listsItsMessage || !('outcome' in state)) return state
  const { outcome } = state
  if (outcome.envelope.success) return state
  const errors = [outcome.envelope.message, ...outcome.envelope.errors]
  return { outcome: { ...outcome, envelope: { ...outcome.envelope, errors } } }
}

function refuse(call: RoutedCall, result: Result<never>): CallState {
  return toCallState(result, call.ids)
}

const SHOWN_NAME = 80

function unknownTool(sent: string): Result<never> {
  const name = sent.length > SHOWN_NAME ? `${sent.slice(0, SHOWN_NAME)}…` : sent
  const names = catalog.map(tool => tool.declaration.name)
  const similar = similarTools(name, names)
  const hint = similar.length > 0 ? ` Did you mean ${similar.join(' or ')}?` : ''
  return fail(
    'UNKNOWN_TOOL',
    `There is no tool ${quotedTool(name)}.${hint} The tools are ${names.join(', ')}.`,
    { details: { ...(similar.length > 0 && { similar }), tools: names } },
  )
}

/** Undefined if it takes longer. */
function within<Value>(ms: number, run: () => Promise<Value>): Promise<Value | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(undefined), ms)
    timer.unref()
    run()
      .finally(() => clearTimeout(timer))
      .then(resolve, reject)
  })
}
