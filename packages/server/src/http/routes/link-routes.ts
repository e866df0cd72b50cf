import { type LinkEvent, ok } from '@filewright/protocol'
import type { ClientLink } from '../../link/client-link.ts'
import { openEventStream } from '../../session/event-stream.ts'
import type { Logger } from '../../words/logger.ts'
import type { RouteRequest, Routes } from '../route.ts'
import { sendWhenBegun } from './when-begun.ts'
import type { Within } from './within.ts'
import { createWorkspaceEvents } from './workspace-events.ts'

export interface LinkRouteParts {
  readonly link: ClientLink
  readonly logger: Logger
  /** Also lets the workspace's open calls and runs continue. */
  readonly attachClient: ClientLink['attach']
}

/** A client's request stream, its answers and its notices, and the subscribers to those notices. */
export function createLinkRoutes(
  { link, logger, attachClient }: LinkRouteParts,
  within: Within,
): Pick<Routes, 'link' | 'linkAnswers' | 'linkEvents' | 'workspaceEvents'> {
  const listeners = createWorkspaceEvents()

  return {
    link: within.workspace(async ({ params, request }) => {
      let detach = () => {}
      const stream = openEventStream(() => detach(), request.signal)
      const send = sendWhenBegun(question => stream.send(JSON.stringify(question)))
      detach = attachClient(params.workspaceId, send)
      return stream.response
    }),
    linkAnswers: within.workspace(async ({ params, body }) => {
      link.answer(params.workspaceId, body.answers, { isForeign: true })
      return ok(null)
    }),
    linkEvents: within.workspace(async ({ params, body }) => {
      for (const event of body.events)
        if (isLog(event)) logger.event(event.event, event.fields)
        else if (isFilesChanged(event)) listeners.tell(params.workspaceId, event)
      return ok(null)
    }),
    workspaceEvents: within.workspace(async ({ params, request }) =>
      listeners.open(params.workspaceId, request.signal),
    ),
  }
}

type GivenEvent = RouteRequest<'linkEvents'>['body']['events'][number]

function isLog(event: GivenEvent): event is Extract<LinkEvent, { type: 'log' }> {
  return (
    event.type === 'log' && typeof event.event === 'string' && Object(event.fields) === event.fields
  )
}

function isFilesChanged(event: GivenEvent): event is Extract<LinkEvent, { type: 'files-changed' }> {
  return event.type === 'files-changed' && Array.isArray(event.docPaths)
}
