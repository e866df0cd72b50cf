import { availableParallelism } from 'node:os'
import {
  callTool,
  createCallOrder,
  createJsonLine,
  createPipeWriter,
  createWakefulness,
  Exit,
  type FolderOptions,
  type Host,
  isPending,
  laneOf,
  readLines,
  standingSession,
  type ToolRequest,
  type UnreadLine,
  unwrapOrExit,
  type Work,
  withFolder,
  writerPastStdout,
} from '@filewright/host'
import { EXIT_CODES, type Pending } from '@filewright/protocol'
import { canAsk } from '../../input/prompt.ts'
import { readStdin, withoutBom } from '../../input/read-stdin.ts'
import { answerJson, exitCodeOf } from '../../output/output.ts'
import { callWhileWaiting } from './call-while-waiting.ts'

interface CallCommandOptions extends FolderOptions {
  readonly tool?: string
  readonly json?: string
  readonly lines?: boolean
  readonly yes?: boolean
}

export async function call(
  { tool, json, ...options }: CallCommandOptions,
  host: Host,
): Promise<void> {
  if (options.lines && tool !== undefined)
    throw new Exit(
      EXIT_CODES.invalid,
      'call --lines reads its calls from stdin, one {"tool", "arguments"} per line; for one call omit --lines: filewright call TOOL JSON',
    )
  if (options.lines) return callLines(options, host)
  if (tool === undefined)
    throw new Exit(
      EXIT_CODES.invalid,
      'name a tool: filewright call TOOL JSON ("filewright tools" lists them)',
    )
  const given = parseArguments(
    json === '-' ? await readStdin('the arguments on stdin are') : (json ?? '{}'),
  )
  await host.inWorkspace(options, async work => {
    const sessionId = await standingSession(work)
    const request: ToolRequest = { tool, arguments: given, approve: options.yes ? 'all' : 'ask' }
    const first = await callWhileWaiting(work, sessionId, request)
    const isAsked = 'question' in first && canAsk()
    if (isAsked) await (await import('../../input/scan-question.ts')).askScan(work, first.message)
    const result = isAsked ? await callWhileWaiting(work, sessionId, request) : first
    if (isPending(result)) await askOrLeave(work, sessionId, result)
    else {
      answerJson(result)
      process.exitCode = exitCodeOf(result)
    }
  })
}

/** Each line is a turn; results come in the order asked. Lines that came together are worked on together. */
async function callLines(options: CallCommandOptions, host: Host): Promise<void> {
  const approve = options.yes ? 'all' : 'ask'
  await host.inWorkspace(options, async work => {
    const sessionId = await standingSession(work)
    const jsonLine = createJsonLine()
    const write = createPipeWriter({ stream: process.stdout, writeNow: writerPastStdout() })
    // on one processor staying awake would keep the caller from running
    const wakefulness = availableParallelism() > 1 ? createWakefulness() : undefined
    const order = createCallOrder<{ id: unknown; result: unknown }>({
      print: answered => write(jsonLine(answered)),
      onIdle: () => wakefulness?.answered(),
      onFailure: cause => process.stdin.destroy(cause as Error),
    })
    await readLines(process.stdin, line => {
      wakefulness?.asked()
      if (typeof line === 'string' && line.trim() === '') return undefined
      const request = parseLine(line)
      if ('error' in request)
        return order.add({ lane: 'read', run: async () => ({ id: null, result: request.error }) })
      return order.add({
        lane: laneOf(request.tool, work),
        run: async () => {
          const { tool, arguments: given, id = null } = request
          const result = await callTool(work, sessionId, { tool, arguments: given, approve })
          return { id, result: isPending(result) ? withFolder(work, result) : result }
        },
      })
    })
    await order.end()
  })
}

/** False when the person wants to decide later. */
async function askHere(work: Work, { approvalId, question }: Pending): Promise<boolean> {
  if (!question) {
    const { askApproval } = await import('../approvals/approvals.ts')
    return askApproval(work, approvalId)
  }
  const { askQuestion, openQuestions } = await import('../approvals/questions.ts')
  const asked = (await openQuestions(work)).find(({ id }) => id === approvalId)
  return asked === undefined || askQuestion(work, asked)
}

/** On a terminal the person answers here; elsewhere the approval waits for them. */
async function askOrLeave(work: Work, sessionId: string, pending: Pending): Promise<void> {
  if (canAsk()) {
    const decided = await askHere(work, pending)
    if (decided) {
      const ended = unwrapOrExit(
        await work.connection.call('getCall', {
          params: { ...work.params, sessionId, toolCallId: pending.toolCallId },
        }),
      )
      answerJson(ended)
      process.exitCode = isPending(ended) ? EXIT_CODES.waiting : exitCodeOf(ended)
      return
    }
  }
  answerJson(withFolder(work, pending))
  process.exitCode = EXIT_CODES.waiting
}

function parseLine(
  line: string | UnreadLine,
): { tool: string; arguments: unknown; id?: unknown } | { error: unknown } {
  if (typeof line !== 'string') return { error: invalid(line.problem) }
  try {
    const value = JSON.parse(withoutBom(line)) as {
      tool?: unknown
      arguments?: unknown
      id?: unknown
    }
    if (typeof value?.tool === 'string')
      return { tool: value.tool, arguments: value.arguments ?? {}, id: value.id }
    return { error: invalid('A line must be {"tool": NAME, "arguments": {…}}.') }
  } catch (error) {
    return { error: invalid(`The line is not valid JSON: ${(error as Error).message}`) }
  }
}

function invalid(message: string) {
  return {
    success: false,
    errorCode: 'INVALID_ARGUMENT',
    kind: 'invalid',
    message,
    errors: [message],
    warnings: [],
  }
}

/** Text that is not JSON is passed on as it is: the call is then refused with an ordinary envelope. */
function parseArguments(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
