import {
  dropUnlessBegun,
  type FolderOptions,
  findRunDraft,
  type Host,
  lastCursor,
  type RunEnd,
  type RunListener,
  readLines,
  type Work,
  watchRun,
} from '@filewright/host'
import type { ApprovalPolicy, JsonRoute, RouteArguments } from '@filewright/protocol'

interface RpcRequest {
  readonly jsonrpc?: unknown
  readonly id?: string | number | null
  readonly method?: unknown
  readonly params?: Record<string, unknown> | null
}

/** Codes of JSON-RPC 2.0; our own failures are in `data`. */
const CODES = {
  parse: -32700,
  request: -32600,
  method: -32601,
  params: -32602,
  failure: -32000,
} as const

class RpcError extends Error {
  readonly code: number
  readonly data: unknown
  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** One request a line in; answers and ADR-0010's notifications a line each out. Requests run side by side. */
export function rpc(options: FolderOptions, host: Host): Promise<void> {
  return host.inWorkspace(options, async work => {
    const under = new Set<Promise<void>>()
    await readLines(process.stdin, line => {
      if (line?.trim() === '') return undefined
      const handled = handle(line, work).finally(() => under.delete(handled))
      under.add(handled)
      return undefined
    })
    await Promise.all(under)
  })
}

async function handle(line: string | undefined, work: Work): Promise<void> {
  if (line === undefined)
    return send({ id: null, error: { code: CODES.parse, message: 'The line is not UTF-8.' } })
  let given: unknown
  try {
    given = JSON.parse(line)
  } catch (error) {
    return send({ id: null, error: { code: CODES.parse, message: (error as Error).message } })
  }
  if (!Array.isArray(given) || given.length === 0) {
    const answer = await answerTo(given, work)
    if (answer) send(answer)
    return
  }
  const answers = await Promise.all(given.map(each => answerTo(each, work)))
  const sent = answers.flatMap(answer => (answer ? [{ jsonrpc: '2.0', ...answer }] : []))
  if (sent.length > 0) process.stdout.write(`${JSON.stringify(sent)}\n`)
}

/** Undefined for a notification, which never gets an answer. */
async function answerTo(given: unknown, work: Work): Promise<object | undefined> {
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given)
  const request: RpcRequest = isObject ? given : {}
  const isNotification = typeof request.method === 'string' && request.id === undefined
  const id = request.id ?? null
  try {
    const result = await run(request, work)
    return isNotification ? undefined : { id, result }
  } catch (error) {
    const { code, message, data } =
      error instanceof RpcError ? error : new RpcError(CODES.failure, (error as Error).message)
    if (isNotification) return undefined
    return { id, error: { code, message, ...(data !== undefined && { data }) } }
  }
}

async function run({ method, params }: RpcRequest, work: Work): Promise<unknown> {
  if (typeof method !== 'string') throw new RpcError(CODES.request, 'a request needs a "method"')
  if (typeof (params ?? {}) !== 'object' || Array.isArray(params))
    throw new RpcError(CODES.params, '"params" must be an object: every parameter has a name')
  const handler = Object.hasOwn(METHODS, method) ? METHODS[method] : undefined
  if (!handler)
    throw new RpcError(
      CODES.method,
      `There is no method "${method}". The methods are ${Object.keys(METHODS).join(', ')}.`,
    )
  return handler(params ?? {}, work)
}

type RpcHandler = (params: Record<string, unknown>, work: Work) => Promise<unknown>

const METHODS: Readonly<Record<string, RpcHandler>> = {
  WorkshopRunAgent: runAgent,
  WorkshopSteer: ({ session_id, text }, work) =>
    ask(work, 'sendMessage', { sessionId: String(session_id) }, { text }),
  WorkshopCancel: ({ session_id }, work) =>
    ask(work, 'cancel', { sessionId: String(session_id) }, {}),
  WorkshopQueue: async ({ session_id }, { connection, params }) =>
    unwrap(
      await connection.call('listQueue', { params: { ...params, sessionId: String(session_id) } }),
    ),
  WorkshopTakeBack: ({ session_id, message_id }, work) =>
    ask(
      work,
      'takeBack',
      { sessionId: String(session_id), messageId: String(message_id) },
      undefined,
    ),
  WorkshopRewind: ({ session_id, seq }, work) =>
    ask(work, 'rewind', { sessionId: String(session_id) }, { seq }),
  WorkshopResume: resumeAgent,
  WorkshopAnswer: answerQuestion,
  WorkshopReview: async ({ draft_id }, { connection, params }) =>
    unwrap(
      await connection.call('review', {
        params,
        query: { draftId: draft_id as string | undefined },
      }),
    ),
  WorkshopPublish: ({ draft_id, only }, work) =>
    ask(work, 'publish', {}, { draftId: draft_id, only }),
  WorkshopDiscard: ({ draft_id }, work) => ask(work, 'discard', {}, { draftId: draft_id }),
  CallTool: async ({ tool, arguments: given, session_id, approve }, work) => {
    const sessionId = String(session_id ?? (await newSession(work)))
    return ask(work, 'callTool', { sessionId }, { tool, arguments: given ?? {}, approve })
  },
}

/** ADR-0010's endpoint: runs until the model stops, and answers with the final state. */
async function runAgent(given: Record<string, unknown>, work: Work): Promise<unknown> {
  const text = given.text ?? given.message
  if (typeof text !== 'string' || text === '')
    throw new RpcError(CODES.params, 'WorkshopRunAgent needs "text": the task, in plain words')
  if (typeof given.session_id === 'string')
    return runIn(given.session_id, text, given, work, () => {})
  const sessionId = await newSession(work)
  return dropUnlessBegun(work, sessionId, begun => runIn(sessionId, text, given, work, begun))
}

/** Goes on with a run that stopped. */
async function resumeAgent(given: Record<string, unknown>, work: Work): Promise<unknown> {
  const sessionId = String(given.session_id)
  return follow(sessionId, given, work, async ({ model, approve, bounds }) => {
    const body = { ...(model && { model }), approve, goOn: true, ...bounds }
    const resumed = await ask(work, 'resume', { sessionId }, body)
    if (!(resumed as { resumed: boolean }).resumed)
      throw new RpcError(CODES.failure, 'No run of this session is stopped: nothing to resume.')
  })
}

/** Answers a question, and follows the run that asked it to its end. */
async function answerQuestion(given: Record<string, unknown>, work: Work): Promise<unknown> {
  const { question_id, answer } = given
  const { connection, params } = work
  const open = unwrap(await connection.call('listQuestions', { params }))
  const sessionId = open.find(({ id }) => id === question_id)?.sessionId
  const tell = () => ask(work, 'answerQuestion', { questionId: String(question_id) }, { answer })
  if (!sessionId) return tell()
  const session = await connection.call('getSession', { params: { ...params, sessionId } })
  if (unwrap(session).state === 'idle') return tell()
  return follow(sessionId, given, work, async ({ model, approve }) => {
    await tell()
    await ask(work, 'resume', { sessionId }, { ...(model && { model }), approve })
  })
}

function runIn(
  sessionId: string,
  text: string,
  given: Record<string, unknown>,
  work: Work,
  begun: () => void,
): Promise<unknown> {
  const { toolset, plan } = given
  return follow(sessionId, given, work, async ({ chosen, approve, bounds }) => {
    const body = { text, model: chosen, toolset, approve, plan, ...bounds }
    await ask(work, 'sendMessage', { sessionId }, body)
    begun()
  })
}

interface Following {
  readonly model?: string
  readonly chosen?: string
  readonly approve: ApprovalPolicy
  readonly bounds: { readonly maxTurns: unknown; readonly budget: unknown }
}

/** Until the run that `start` begins has ended. */
async function follow(
  sessionId: string,
  given: Record<string, unknown>,
  work: Work,
  start: (following: Following) => Promise<void>,
): Promise<unknown> {
  const {
    model,
    approve = 'rules',
    plan,
  } = given as { model?: string; approve?: ApprovalPolicy; plan?: boolean }
  const stop = new AbortController()
  const chosen = await work.connection.useModel(model)
  const listener = createListener(sessionId)
  const events = watchRun(work, sessionId, unwrap(await lastCursor(work, sessionId)), listener, {
    signal: stop.signal,
    settings: { model, approve, plan },
  })
  try {
    const first = events.next()
    const bounds = { maxTurns: given.max_turns, budget: given.budget }
    await start({ model, chosen, approve, bounds })
    const end = (await first).value as RunEnd
    const draft = unwrap(await findRunDraft(work, sessionId))
    return {
      session_id: sessionId,
      run_id: end.run_id,
      reason: end.reason,
      text: listener.said(),
      closing: end.closing,
      ...(end.message && { message: end.message }),
      ...(end.usage && { usage: end.usage }),
      draft_id: draft?.id ?? null,
    }
  } finally {
    stop.abort()
  }
}

/** Forwards notifications, and keeps the model's last answer. */
function createListener(sessionId: string): RunListener & { said(): string } {
  let said = ''
  let isCut = false
  return {
    said: () => said,
    onEvent(event, notification) {
      if (notification)
        send({
          method: notification.method,
          params: { ...notification.params, session_id: sessionId },
        })
      if (event.type !== 'row' || event.row.body.type !== 'assistant_message') return
      const { text, finish_reason } = event.row.body
      said = isCut ? said + text : text // text cut at the output limit continues in the next answer
      isCut = finish_reason === 'length'
    },
  }
}

async function newSession({ connection, params }: Work): Promise<string> {
  return unwrap(await connection.call('createSession', { params, body: {} })).sessionId
}

/** Passes the parameters on unchecked: the route checks them, and its failure says what is wrong. */
async function ask<Name extends JsonRoute>(
  { connection, params }: Work,
  name: Name,
  inPath: Record<string, string>,
  body: unknown,
): Promise<unknown> {
  const asked = [{ params: { ...params, ...inPath }, body }] as unknown as RouteArguments<Name>
  return unwrap(await connection.call(name, ...asked))
}

function unwrap<Value>(
  result:
    | { ok: true; value: Value }
    | { ok: false; failure: { message: string; code: string; kind: string } },
): Value {
  if (result.ok) return result.value
  const { message, code, kind } = result.failure
  throw new RpcError(CODES.failure, message, { errorCode: code, kind })
}

function send(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
}
