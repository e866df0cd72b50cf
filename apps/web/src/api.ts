import type {
  Applied,
  Approval,
  CallState,
  Decision,
  DraftSummary,
  FilePage,
  LogRow,
  Published,
  Result,
  Review,
  Toolset,
} from '@filewright/protocol'

/** Rows of the log that come with one answer. */
export const LOG_PAGE = 1000

export type WorkspaceSummary = {
  readonly workspaceId: string
  readonly name: string
  /** Where it lies, as its client says. */
  readonly place?: string
  /** A client is there to read its files. */
  readonly isAttached: boolean
}

export type SessionSummary = {
  readonly sessionId: string
  readonly title: string
  /** ISO 8601. */
  readonly updated: string
}

/** Its content goes along with what is asked in the session. */
export type ActiveFile = {
  readonly docPath: string
  readonly displayPath: string
}

export type Sent = {
  /** The first time that a model elsewhere is used: what is sent where. */
  readonly notice?: string
}

/** What a person saw of a draft, and does not want of it. */
export type Reviewed = {
  readonly draftId: string
  readonly refused: readonly string[]
  readonly revision: number
}

/** The HTTP API as this page uses it. Nothing throws: a server that is gone is a failure like others. */
export type Api = ReturnType<typeof createApi>

export function createApi(token: string) {
  const ask = <Value>(method: string, path: string, body?: unknown) =>
    request<Value>(token, method, path, body)
  const of = (workspaceId: string) => `/workspaces/${encodeURIComponent(workspaceId)}`
  const session = (id: string, sessionId: string) =>
    `${of(id)}/sessions/${encodeURIComponent(sessionId)}`
  return {
    workspaces: () => ask<{ workspaces: WorkspaceSummary[] }>('GET', '/workspaces'),
    /** Those whose path holds the text, or all for an empty one. */
    files: (id: string, named: string, limit: number) =>
      ask<FilePage>(
        'GET',
        `${of(id)}/files?limit=${limit}${named ? `&named=${encodeURIComponent(named)}` : ''}`,
      ),
    /** The yes to looking through all of a folder that is asked about first. */
    allowScan: (id: string) => ask<unknown>('POST', `${of(id)}/rules`, { effect: 'scan' }),
    approvals: (id: string) => ask<Approval[]>('GET', `${of(id)}/approvals`),
    decide: (id: string, approvalId: string, decision: Omit<Decision, 'by'>) =>
      ask<{ approval: Approval; outcome: CallState }>(
        'POST',
        `${of(id)}/approvals/${encodeURIComponent(approvalId)}`,
        decision,
      ),
    drafts: (id: string) => ask<DraftSummary[]>('GET', `${of(id)}/drafts?state=open`),
    review: (id: string, draftId: string) =>
      ask<Review>('GET', `${of(id)}/review?draftId=${encodeURIComponent(draftId)}`),
    publish: (id: string, reviewed: Reviewed) =>
      ask<Published>('POST', `${of(id)}/publish`, reviewed),
    undo: (id: string, draftId: string) => ask<Applied>('POST', `${of(id)}/undo`, { draftId }),
    redo: (id: string, draftId: string) => ask<Applied>('POST', `${of(id)}/redo`, { draftId }),
    discard: (id: string, draftId: string) =>
      ask<DraftSummary>('POST', `${of(id)}/discard`, { draftId }),
    sessions: (id: string) => ask<{ sessions: SessionSummary[] }>('GET', `${of(id)}/sessions`),
    createSession: (id: string) => ask<{ sessionId: string }>('POST', `${of(id)}/sessions`, {}),
    send: (id: string, sessionId: string, message: { text: string; toolset: Toolset }) =>
      ask<Sent>('POST', `${session(id, sessionId)}/messages`, message),
    active: (id: string, sessionId: string) =>
      ask<{ files: ActiveFile[] }>('GET', `${session(id, sessionId)}/active-files`),
    addActive: (id: string, sessionId: string, path: string) =>
      ask<unknown>('POST', `${session(id, sessionId)}/active-files`, { path }),
    removeActive: (id: string, sessionId: string, path: string) =>
      ask<unknown>(
        'DELETE',
        `${session(id, sessionId)}/active-files?path=${encodeURIComponent(path)}`,
      ),
    cancel: (id: string, sessionId: string) =>
      ask<unknown>('POST', `${session(id, sessionId)}/cancel`, {}),
    /** A stream, so it is the caller who reads it. */
    events: (id: string, sessionId: string, after: number, signal: AbortSignal) =>
      fetch(`/api${session(id, sessionId)}/events?after=${after}`, {
        headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
        signal,
      }),
    log: (id: string, sessionId: string, after: number) =>
      ask<{ rows: LogRow[] }>(
        'GET',
        `${session(id, sessionId)}/log?after=${after}&limit=${LOG_PAGE}`,
      ),
  }
}

const GONE = 'The server does not answer. Start it again with "npm start" or "filewright serve".'
/** Stands there until the next try, when the server may be back for long. */
const UNANSWERED =
  'The server did not answer, so this may not have been done. Try again once it does.'

async function request<Value>(
  token: string,
  method: string,
  path: string,
  body: unknown,
): Promise<Result<Value>> {
  try {
    const response = await fetch(`/api${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    const answer = await response.json()
    if (response.ok) return { ok: true, value: answer }
    return refused(response.status, answer)
  } catch {
    return failure('SERVER_GONE', method === 'GET' ? GONE : UNANSWERED)
  }
}

function refused(
  status: number,
  { errorCode, message, ...details }: { errorCode?: string; message?: string },
) {
  const code = status === 401 ? 'TOKEN_REFUSED' : (errorCode ?? `HTTP_${status}`)
  return failure(code, message ?? `The server answered with ${status}.`, details)
}

function failure(code: string, message: string, details?: Readonly<Record<string, unknown>>) {
  const errors = [message]
  return { ok: false, failure: { code, kind: 'unavailable', message, errors, details } } as const
}
