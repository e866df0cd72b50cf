import { Exit, type FolderOptions, type Host, note, unwrapOrExit } from '@filewright/host'
import { counted, EXIT_CODES, type LogRow, planTitle, type SentRequest } from '@filewright/protocol'
import { toJsonl } from '@filewright/server'
import { answer, answerData } from '../../output/output.ts'

interface LogOptions extends FolderOptions {
  readonly session?: string
  readonly jsonl?: boolean
  readonly sent?: boolean
  readonly sessions?: boolean
  readonly delete?: boolean
  readonly yes?: boolean
}

const PAGE = 5000

export function log({ session: given, ...options }: LogOptions, host: Host): Promise<void> {
  return host.inWorkspace(options, async ({ connection, params }) => {
    const { sessions } = unwrapOrExit(await connection.call('listSessions', { params }))
    if (options.sessions) {
      for (const session of sessions)
        answer(`${session.sessionId}  ${session.state}  ${session.updated}  ${session.title}`)
      return
    }
    const sessionId = given ?? sessions[0]?.sessionId
    if (!sessionId) return note('Nothing has been done in this workspace yet.')
    if (!sessions.some(session => session.sessionId === sessionId))
      throw new Exit(
        EXIT_CODES.missing,
        `there is no session "${sessionId}"; "filewright log --sessions" lists them`,
      )
    if (options.delete) {
      if (!given) throw new Exit(EXIT_CODES.invalid, 'name the session to delete')
      const deleted = await connection.call('deleteSession', {
        params: { ...params, sessionId },
        query: { discard: options.yes ? 'true' : 'false' },
      })
      unwrapOrExit(deleted)
      return answer(`Deleted ${sessionId} and its log.`)
    }
    const asked = new Set<string>()
    let isSent = false
    for (let after = 0; ; ) {
      const { rows } = unwrapOrExit(
        await connection.call('log', {
          params: { ...params, sessionId },
          query: { after, limit: PAGE },
        }),
      )
      if (rows.length === 0) break
      if (options.jsonl) answerData(toJsonl(rows))
      else if (options.sent) for (const row of rows) showSent(row, asked)
      else for (const row of rows) show(row)
      isSent ||= rows.some(({ body }) => body.type === 'run-start')
      after = rows.at(-1)!.seq
    }
    if (options.sent && !isSent)
      note(
        `Session ${sessionId} has sent nothing to a model. "filewright log --sessions" lists the others.`,
      )
  })
}

function show({ seq, time, body }: LogRow): void {
  answer(`${seq}  ${time}  ${body.type}  ${summarise(body)}`)
}

/** What went to which model, one piece a line. A call that a model did not ask for, as `call` makes them, went to none. */
function showSent({ time, body: own }: LogRow, asked: Set<string>): void {
  const body = own.type === 'helper' ? own.line : own
  switch (body.type) {
    case 'run-start':
      return answer(`${time}  run ${body.run_id} with ${body.model}`)
    case 'context':
      if (body.sent) answer(`${time}  ${describeSent(body.sent)}`)
      for (const { name, tokens, sha256, files } of body.layers)
        answer(
          `${time}  ${name}: about ${counted(tokens, 'token')}, sha256 ${sha256.slice(0, 8)}${files ? ` (${files.join(', ')})` : ''}`,
        )
      return
    case 'assistant_message':
      for (const { id } of body.tool_calls ?? []) asked.add(id)
      return
    case 'tool_result':
      if (!asked.delete(body.tool_call_id)) return
      return answer(
        `${time}  result of ${body.tool_call_id}: ${counted(body.content.length, 'character')}`,
      )
    case 'compaction':
      if (body.sent) answer(`${time}  ${describeSent(body.sent)}, to sum up the conversation`)
      return
    case 'user_message':
    case 'steer':
      return answer(`${time}  message: ${counted(body.text.length, 'character')}`)
  }
}

function describeSent({ model, endpoint, messages, size_bytes }: SentRequest): string {
  const where = endpoint ? `to ${endpoint}` : 'within this process'
  return `request ${where} for ${model}: ${counted(messages, 'message')}, ${counted(size_bytes, 'byte')}`
}

function summarise(body: LogRow['body']): string {
  switch (body.type) {
    case 'user_message':
      return body.text.slice(0, 200)
    case 'assistant_message':
      return `${body.text.slice(0, 200)}${body.finish_reason === 'length' ? ' [cut at the output limit]' : ''}`
    case 'call-start':
      return `${body.name} ${body.arguments.slice(0, 160)}`
    case 'tool_result':
      return `${body.success ? 'ok' : (body.error_code ?? 'failed')}  ${body.content.split('\n')[0]!.slice(0, 160)}`
    case 'run-end':
      return body.reason === 'final' ? body.closing : `${body.reason}  ${body.closing}`
    case 'approval':
      return `${body.approval_id} waits for a person`
    case 'decision':
      return `${body.approval_id} ${body.decision} by ${body.by}`
    case 'plan':
      return planTitle(body.steps)
    case 'question':
      return `${body.question_id} waits for an answer: ${body.question.slice(0, 160)}`
    case 'helper':
      return `${body.tool_call_id}: ${body.line.type}  ${summarise(body.line)}`
    case 'run-start':
      return `${body.model} with the ${body.toolset} tools`
    case 'usage':
      return `${counted(body.usage.inputTokens, 'token')} sent, ${body.usage.outputTokens} received`
    case 'limit':
    case 'notice':
      return body.message
    case 'retry':
      return body.reason
    case 'compaction':
      return `${body.summary === undefined ? 'old results shortened' : 'conversation summarized'}: about ${counted(body.tokens_before, 'token')} before it`
    case 'steer':
      return body.text.slice(0, 200)
    case 'cancel':
      return `by ${body.by}`
    case 'rewind':
      return `to row ${body.to_seq} by ${body.by}`
    case 'draft':
      return `${body.draft_id} ${body.action}: ${counted(body.files, 'file')}`
    default:
      return ''
  }
}
