import {
  COMMON_CODES,
  type JournalLine,
  type Kind,
  type LogRow,
  type SessionId,
} from '@filewright/protocol'
import { findTool } from '@filewright/tools'
import type { SessionLog } from '../log/log.ts'
import type { Registry } from './registry.ts'
import { spanIdOf, type TraceSpan, traceIdOf } from './spans.ts'

export interface RowFiguresOptions {
  readonly registry: Registry
  readonly log: Pick<SessionLog, 'findLast' | 'findStart'>
  readonly onSpan: (span: TraceSpan) => void
  /** One line of what happened, for a log that programs read. */
  readonly onEvent: (name: string, fields: Readonly<Record<string, unknown>>) => void
}

/** What is under way in a session. */
interface Seen {
  run: Begun<'run-start'> | undefined
  /** The request to the model that waits for its answer. */
  turn: { readonly turnId: string; readonly at: number } | undefined
  readonly calls: Map<string, Begun<'call-start'>>
}

interface Begun<Type extends JournalLine['type']> {
  readonly body: Extract<JournalLine, { type: Type }>
  readonly at: number
}

const MOST_SESSIONS = 10_000

/**
 * Figures and spans from the rows of the log, which say everything that happens in a run. So an instance that goes on
 * with the run of another one finds its start in the log.
 */
export function createRowFigures({ registry, log, onSpan, onEvent }: RowFiguresOptions) {
  const sessions = new Map<SessionId, Seen>()
  const turns = new Map<SessionId, Promise<void>>()

  function noteRows(sessionId: SessionId, kept: Promise<readonly LogRow[]>): void {
    const turn = (turns.get(sessionId) ?? Promise.resolve())
      .then(async () => {
        const rows = await kept
        if (rows.length === 0) return
        const seen = sessions.get(sessionId) ?? (await recall(sessionId, rows[0]!))
        for (const row of rows) await note(sessionId, seen, row)
      })
      .catch(() => {}) // a figure is missing; the work is not
      .finally(() => {
        if (turns.get(sessionId) === turn) turns.delete(sessionId)
      })
    turns.set(sessionId, turn)
  }

  /** What was under way before the first row that this process wrote. */
  async function recall(sessionId: SessionId, first: LogRow): Promise<Seen> {
    const found = await log.findLast(sessionId, 'run-start')
    const run = found && found.seq < first.seq ? toBegun(found.body, found.time) : undefined
    const seen: Seen = { run, turn: undefined, calls: new Map() }
    if (sessions.size >= MOST_SESSIONS) sessions.delete(sessions.keys().next().value!)
    sessions.set(sessionId, seen)
    return seen
  }

  async function note(sessionId: SessionId, seen: Seen, { body, time }: LogRow): Promise<void> {
    const at = Date.parse(time)
    switch (body.type) {
      case 'run-start':
        seen.run = { body, at }
        registry.count('runs_started', {})
        onEvent('Run.Started', { sessionId, runId: body.run_id, toolset: body.toolset })
        return
      case 'context':
        seen.turn = { turnId: body.turn_id, at }
        return
      case 'assistant_message':
        return noteTurn(sessionId, seen, at)
      case 'usage':
      case 'helper':
        return noteUsage(body)
      case 'retry':
        return registry.count('retries', {})
      case 'call-start':
        seen.calls.set(body.tool_call_id, { body, at })
        return
      case 'tool_result':
        return noteCall(sessionId, seen, body, at)
      case 'run-end':
        return noteEnd(sessionId, seen, body, at)
    }
  }

  function noteTurn(sessionId: SessionId, seen: Seen, at: number) {
    registry.count('turns', {})
    const { run, turn } = seen
    seen.turn = undefined
    if (run && turn)
      onSpan({
        ...within(run, sessionId),
        spanId: spanIdOf(turn.turnId),
        name: 'turn',
        start: turn.at,
        end: at,
        isFailure: false,
      })
  }

  function noteUsage(line: JournalLine) {
    if (line.type === 'helper') return noteUsage(line.line)
    if (line.type !== 'usage') return
    const { inputTokens, outputTokens, cachedTokens = 0 } = line.usage
    registry.count('tokens', { direction: 'input' }, inputTokens)
    registry.count('tokens', { direction: 'output' }, outputTokens)
    registry.count('tokens', { direction: 'cached' }, cachedTokens)
  }

  async function noteCall(
    sessionId: SessionId,
    seen: Seen,
    body: Extract<JournalLine, { type: 'tool_result' }>,
    at: number,
  ) {
    const toolCallId = body.tool_call_id
    const begun = seen.calls.get(toolCallId) ?? (await findStart(sessionId, toolCallId))
    seen.calls.delete(toolCallId)
    if (!begun) return
    const tool = toolLabel(begun.body.name)
    const outcome = body.success ? 'ok' : kindOf(begun.body.name, body.error_code)
    registry.observe('tool_duration', { tool, outcome }, (at - begun.at) / 1000)
    if (outcome === 'conflict') registry.count('conflicts', { where: 'call' })
    const place = seen.run
      ? within(seen.run, sessionId)
      : { traceId: traceIdOf(toolCallId), attributes: { 'filewright.session': sessionId } }
    onSpan({
      ...place,
      spanId: spanIdOf(toolCallId),
      name: `tool ${tool}`,
      start: begun.at,
      end: at,
      attributes: { ...place.attributes, 'filewright.tool': tool, 'filewright.outcome': outcome },
      isFailure: !body.success,
    })
    onEvent('Call.Ended', { sessionId, toolCallId, tool, outcome, ms: at - begun.at })
  }

  async function findStart(sessionId: SessionId, toolCallId: string) {
    const found = await log.findStart(sessionId, toolCallId as never)
    return found && toBegun(found.body, found.time)
  }

  function noteEnd(
    sessionId: SessionId,
    seen: Seen,
    { run_id: runId, reason }: Extract<JournalLine, { type: 'run-end' }>,
    at: number,
  ) {
    registry.count('runs_ended', { reason })
    const { run } = seen
    sessions.delete(sessionId)
    onEvent('Run.Ended', { sessionId, runId, reason, ...(run && { ms: at - run.at }) })
    if (!run) return
    registry.observe('run_duration', { reason }, (at - run.at) / 1000)
    onSpan({
      traceId: traceIdOf(runId),
      spanId: spanIdOf(runId),
      name: 'run',
      start: run.at,
      end: at,
      attributes: {
        'filewright.session': sessionId,
        'filewright.run': runId,
        'filewright.model': run.body.model,
        'filewright.toolset': run.body.toolset,
        'filewright.reason': reason,
      },
      isFailure: reason === 'failed',
    })
  }

  return { noteRows }
}

function toBegun<Type extends 'run-start' | 'call-start'>(
  body: Begun<Type>['body'],
  time: string,
): Begun<Type> {
  return { body, at: Date.parse(time) }
}

function within({ body: { run_id: runId } }: Begun<'run-start'>, sessionId: SessionId) {
  return {
    traceId: traceIdOf(runId),
    parentId: spanIdOf(runId),
    attributes: { 'filewright.session': sessionId, 'filewright.run': runId },
  }
}

/** A model can ask for any name, and an MCP server calls its tools as it likes. */
function toolLabel(name: string): string {
  return findTool(name)?.declaration.name ?? 'outside'
}

function kindOf(name: string, code: string | null | undefined): Kind {
  const own = findTool(name)?.declaration.failures ?? {}
  const kinds: Readonly<Record<string, Kind>> = { ...own, ...COMMON_CODES }
  return (code && Object.hasOwn(kinds, code) ? kinds[code] : undefined) ?? 'internal'
}
