import type { LinkEvent, WorkspaceId } from '@filewright/protocol'
import { type EventStream, openEventStream } from '../../session/event-stream.ts'

/** Sends a client's notices to the viewers of its workspace. Nothing is kept: a notice is a hint to look again. */
export interface WorkspaceEvents {
  open(workspaceId: WorkspaceId, signal: AbortSignal): Response
  tell(workspaceId: WorkspaceId, event: LinkEvent): void
  /** The workspace is removed: nothing happens in it any more. */
  end(workspaceId: WorkspaceId): void
}

export function createWorkspaceEvents(leaving: AbortSignal): WorkspaceEvents {
  const streams = new Map<WorkspaceId, Set<EventStream>>()
  return {
    open(workspaceId, signal) {
      const open = streams.get(workspaceId) ?? new Set()
      streams.set(workspaceId, open)
      const stream = openEventStream(
        () => {
          open.delete(stream)
          if (open.size === 0 && streams.get(workspaceId) === open) streams.delete(workspaceId)
        },
        signal,
        leaving,
      )
      open.add(stream)
      return stream.response
    },
    end(workspaceId) {
      for (const stream of [...(streams.get(workspaceId) ?? [])]) stream.close()
    },
    tell(workspaceId, event) {
      const data = JSON.stringify(event)
      for (const stream of streams.get(workspaceId) ?? []) stream.send(data)
    },
  }
}
