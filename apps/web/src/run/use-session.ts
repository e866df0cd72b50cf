import type {
  ActiveFileSummary,
  QueuedMessage,
  Result,
  SentMessage,
  SessionSummary,
  Toolset,
} from '@filewright/protocol'
import { useCallback, useEffect, useState } from 'react'
import type { Api } from '../api.ts'
import { useAsked } from '../use-polled.ts'
import { followSession } from './follow-session.ts'
import { EMPTY_VIEW, foldEvents, type RunView } from './run-view.ts'

export interface SendOptions {
  readonly toolset: Toolset
  /** Absent: the model in use. */
  readonly model?: string
  /** Read, and write nothing. */
  readonly plan?: boolean
}

/** The session of this tab. */
export type TabSession = {
  readonly view: RunView
  readonly isConnected: boolean
  /** Starts a run, or steers the one that goes. */
  readonly send: (text: string, how: SendOptions) => Promise<Result<SentMessage>>
  readonly active: readonly ActiveFileSummary[]
  /** The content of these files is sent from now on. */
  readonly activate: (paths: readonly string[]) => Promise<Result<unknown>>
  readonly deactivate: (docPath: string) => Promise<void>
  readonly stop: () => Promise<Result<unknown>>
  /** Goes on with a run that stopped. */
  readonly goOn: () => Promise<Result<unknown>>
  /** Takes back a message that waits. */
  readonly takeBack: (messageId: string) => Promise<Result<QueuedMessage>>
  /** The next message begins a new session. */
  readonly leave: () => void
  /** Goes on with an earlier one. */
  readonly open: (sessionId: string) => void
  readonly earlier: () => Promise<Result<readonly SessionSummary[]>>
  /** Goes back to before a message of the person. */
  readonly goBack: (seq: number) => Promise<Result<unknown>>
  readonly sessionId: string | undefined
}

/** Sessions in which something was said. */
export async function listConversations(
  api: Api,
  workspaceId: string,
): Promise<Result<readonly SessionSummary[]>> {
  const listed = await api.call('listSessions', { params: { workspaceId } })
  if (!listed.ok) return listed
  return { ok: true, value: listed.value.sessions.filter(({ title }) => title !== '') }
}

/** It is followed as it happens, and found again after a reload. */
export function useSession(api: Api, workspaceId: string): TabSession {
  const key = `filewright-session ${workspaceId}`
  const [sessionId, setSessionId] = useState(() => sessionStorage.getItem(key) ?? undefined)
  const [view, setView] = useState(EMPTY_VIEW)
  const [isConnected, setConnected] = useState(true)

  useEffect(() => {
    setView(EMPTY_VIEW)
    if (sessionId === undefined) return sessionStorage.removeItem(key)
    sessionStorage.setItem(key, sessionId)
    const stop = new AbortController()
    followSession(
      {
        open: (after, signal) =>
          api.listen('events', { params: { workspaceId, sessionId }, query: { after }, signal }),
        onEvents: events => setView(before => foldEvents(before, events)),
        onConnected: isOpen => {
          setConnected(isOpen)
          if (isOpen) setView(before => ({ ...before, listeners: 1 })) // until it is told otherwise
        },
        onGone: () => setSessionId(undefined),
        onAnew: () => setView(EMPTY_VIEW),
      },
      stop.signal,
    )
    return () => stop.abort()
  }, [api, workspaceId, sessionId, key])

  const earlier = useCallback(() => listConversations(api, workspaceId), [api, workspaceId])

  const askActive = useCallback(
    async () =>
      sessionId === undefined
        ? { ok: true as const, value: { files: [] } }
        : api.call('listActiveFiles', { params: { workspaceId, sessionId } }),
    [api, workspaceId, sessionId],
  )
  const active = useAsked<{ files: readonly ActiveFileSummary[] }>(askActive, view.pulse)

  const create = () => api.call('createSession', { params: { workspaceId } })
  const say = (into: string, text: string, how: SendOptions) =>
    api.call('sendMessage', { params: { workspaceId, sessionId: into }, body: { text, ...how } })

  return {
    view,
    isConnected,
    async send(text, how) {
      if (sessionId !== undefined) return say(sessionId, text, how)
      const created = await create()
      if (!created.ok) return created
      setSessionId(created.value.sessionId)
      return say(created.value.sessionId, text, how)
    },
    active: active.value?.files ?? [],
    async activate(paths) {
      const into = sessionId === undefined ? await create() : undefined
      if (into && !into.ok) return into
      const target = into?.value.sessionId ?? sessionId!
      const added = await Promise.all(
        paths.map(path =>
          api.call('addActiveFile', {
            params: { workspaceId, sessionId: target },
            body: { path },
          }),
        ),
      )
      if (into)
        setSessionId(target) // now that there is something to see in it
      else active.reload()
      return added.find(({ ok }) => !ok) ?? { ok: true, value: undefined }
    },
    async deactivate(docPath) {
      await api.call('removeActiveFile', {
        params: { workspaceId, sessionId: sessionId! },
        query: { path: docPath },
      })
      active.reload()
    },
    stop: async () => api.call('cancel', { params: { workspaceId, sessionId: sessionId! } }),
    goOn: async () =>
      api.call('resume', {
        params: { workspaceId, sessionId: sessionId! },
        body: { goOn: true, approve: 'ask' },
      }),
    takeBack: async messageId =>
      api.call('takeBack', { params: { workspaceId, sessionId: sessionId!, messageId } }),
    leave: () => setSessionId(undefined),
    open: setSessionId,
    earlier,
    goBack: async seq =>
      api.call('rewind', { params: { workspaceId, sessionId: sessionId! }, body: { seq } }),
    sessionId,
  }
}
