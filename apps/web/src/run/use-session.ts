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
import { EMPTY_VIEW, foldEvent, type RunView } from './run-view.ts'

/** The session of this tab. */
export type TabSession = {
  readonly view: RunView
  readonly isConnected: boolean
  /** Starts a run, or steers the one that goes. */
  readonly send: (text: string, toolset: Toolset) => Promise<Result<SentMessage>>
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
        onEvents: events => setView(before => events.reduce(foldEvent, before)),
        onConnected: setConnected,
        onGone: () => setSessionId(undefined),
        onAnew: () => setView(EMPTY_VIEW),
      },
      stop.signal,
    )
    return () => stop.abort()
  }, [api, workspaceId, sessionId, key])

  const earlier = useCallback(async () => {
    const listed = await api.call('listSessions', { params: { workspaceId } })
    if (!listed.ok) return listed
    const others = listed.value.sessions.filter(
      session => session.title !== '' && session.sessionId !== sessionId,
    )
    return { ok: true as const, value: others }
  }, [api, workspaceId, sessionId])

  const askActive = useCallback(
    async () =>
      sessionId === undefined
        ? { ok: true as const, value: { files: [] } }
        : api.call('listActiveFiles', { params: { workspaceId, sessionId } }),
    [api, workspaceId, sessionId],
  )
  const active = useAsked<{ files: readonly ActiveFileSummary[] }>(askActive, view.pulse)

  const create = () => api.call('createSession', { params: { workspaceId } })
  const say = (into: string, text: string, toolset: Toolset) =>
    api.call('sendMessage', { params: { workspaceId, sessionId: into }, body: { text, toolset } })

  return {
    view,
    isConnected,
    async send(text, toolset) {
      if (sessionId !== undefined) return say(sessionId, text, toolset)
      const created = await create()
      if (!created.ok) return created
      setSessionId(created.value.sessionId)
      return say(created.value.sessionId, text, toolset)
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
  }
}
