import { type LinkEvent, ok, type SessionId, type WorkspaceId } from '@filewright/protocol'
import type { ClientLink } from '../../link/client-link.ts'
import type { Runs } from '../../runs/runs.ts'
import { openEventStream } from '../../session/event-stream.ts'
import type { Logger } from '../../words/logger.ts'
import type { RouteRequest, Routes } from '../route.ts'
import { sendWhenBegun } from './when-begun.ts'
import type { InSession, Within } from './within.ts'
import type { WorkspaceEvents } from './workspace-events.ts'

export interface LinkRouteParts {
  readonly link: ClientLink
  readonly logger: Logger
  readonly runs: Pick<Runs, 'progress'>
  /** Also lets the workspace's open calls and runs continue. */
  readonly attachClient: ClientLink['attach']
  /** Aborts when this instance is about to end: its clients go to another. */
  readonly leaving: AbortSignal
}

/** A client's request stream, its answers and its notices, and the subscribers to those notices. */
export function createLinkRoutes(
  { link, logger, runs, attachClient, leaving }: LinkRouteParts,
  within: Within,
  listeners: WorkspaceEvents,
): Pick<Routes, 'link' | 'linkAnswers' | 'linkEvents' | 'workspaceEvents'> {
  /** Only for a session of the client's own workspace. */
  const tellProgress = (workspaceId: WorkspaceId, { sessionId, toolCallId, text }: Progress) =>
    within.session(async ({ params }: InSession) =>
      runs.progress(params.sessionId, toolCallId, text.slice(0, MOST_CHARACTERS)),
    )({ params: { workspaceId, sessionId: sessionId as SessionId } })

  return {
    link: within.folder(async ({ params, request }) => {
      let detach = () => {}
      const stream = openEventStream(() => detach(), request.signal, leaving)
      const send = sendWhenBegun(question => stream.send(JSON.stringify(question)))
      detach = attachClient(params.workspaceId, send, { mayRepeat: true })
      return stream.response
    }),
    linkAnswers: within.folder(async ({ params, body }) => {
      link.answer(params.workspaceId, body.answers, { isForeign: true })
      return ok(null)
    }),
    linkEvents: within.folder(async ({ params, body }) => {
      for (const event of body.events)
        if (isLog(event)) logger.event(event.event, event.fields)
        else if (isFilesChanged(event)) listeners.tell(params.workspaceId, event)
        else if (isProgress(event)) await tellProgress(params.workspaceId, event)
      return ok(null)
    }),
    workspaceEvents: within.workspace(async ({ params, request }) =>
      listeners.open(params.workspaceId, request.signal),
    ),
  }
}

const MOST_CHARACTERS = 200 // of a line that a person reads while waiting

type GivenEvent = RouteRequest<'linkEvents'>['body']['events'][number]

function isLog(event: GivenEvent): event is Extract<LinkEvent, { type: 'log' }> {
  return (
    event.type === 'log' && typeof event.event === 'string' && Object(event.fields) === event.fields
  )
}

type Progress = Extract<LinkEvent, { type: 'progress' }>

function isProgress(event: GivenEvent): event is Progress {
  const { type, sessionId, toolCallId, text } = event
  return type === 'progress' && [sessionId, toolCallId, text].every(own => typeof own === 'string')
}

function isFilesChanged(event: GivenEvent): event is Extract<LinkEvent, { type: 'files-changed' }> {
  return event.type === 'files-changed' && Array.isArray(event.docPaths)
}
