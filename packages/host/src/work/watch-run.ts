import { eventData } from '@filewright/client'
import {
  type ApprovalPolicy,
  EXIT_CODES,
  type GivenParams,
  type JournalLine,
  type LogRow,
  type Notification,
  ok,
  type Result,
  type RouteEvents,
  type SessionEvent,
} from '@filewright/protocol'
import { Exit } from '../exit/exit.ts'
import type { WorkspaceCaller } from './work.ts'

export type RunEnd = Extract<JournalLine, { type: 'run-end' }>

/** What the run was started with, for the owner that resumes it. */
export interface ResumeSettings {
  readonly model?: string
  readonly approve: ApprovalPolicy
  readonly plan?: boolean
}

export interface RunListener {
  onEvent(event: SessionEvent, notification: Notification | undefined): void
}

/**
 * Follows a session's events until its run ends or waits for a person. A broken stream is resumed at the cursor; if the
 * owner of the state is gone, and the run with it, the next owner resumes the run.
 */
export async function* watchRun(
  { connection, params }: WorkspaceCaller,
  sessionId: string,
  after: number,
  listener: RunListener,
  { signal, settings }: { readonly signal: AbortSignal; readonly settings: ResumeSettings },
): AsyncGenerator<RunEnd> {
  let cursor = after
  for (let streams = 0; !signal.aborted; streams++) {
    try {
      if (streams > 0) await resumeHere(connection, { ...params, sessionId }, settings)
      const response = await connection.listen('events', {
        params: { ...params, sessionId },
        query: { after: cursor },
        signal,
      })
      if (!response.ok || !response.body)
        throw new Error(`The event stream answered ${response.status}`)
      for await (const data of eventData(response.body, signal)) {
        const { method, params: named, ...event } = JSON.parse(data) as RouteEvents['events']
        if (event.type === 'row') cursor = event.cursor
        listener.onEvent(event, method && named ? { method, params: named } : undefined)
        if (event.type === 'run-lost')
          throw new Exit(
            EXIT_CODES[event.kind],
            `${event.message} Go on with: filewright resume ${sessionId}`,
          )
        if (event.type === 'row' && isRunEnd(event.row)) yield event.row.body
      }
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof Exit) throw error
      await new Promise(resolve => setTimeout(resolve, 100))
      if (error instanceof Error && /answered 4\d\d/.test(error.message)) throw error
    }
  }
}

/** A run in progress continues unchanged, and one that has ended stays ended. */
async function resumeHere(
  connection: WorkspaceCaller['connection'],
  params: GivenParams<'resume'>,
  settings: ResumeSettings,
): Promise<void> {
  const resumed = await connection.call('resume', { params, body: settings })
  if (!resumed.ok) throw new Error(resumed.failure.message)
}

/** Where the log of a session ends now: what comes after belongs to the next run. */
export async function lastCursor(
  { connection, params }: WorkspaceCaller,
  sessionId: string,
): Promise<Result<number>> {
  const page = await connection.call('log', {
    params: { ...params, sessionId },
    query: { limit: 1 },
  })
  return page.ok ? ok(page.value.last) : page
}

function isRunEnd(row: LogRow): row is LogRow<RunEnd> {
  return row.type === 'run-end'
}
