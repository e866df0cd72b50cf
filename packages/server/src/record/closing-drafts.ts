import type { WorkspaceId } from '@filewright/protocol'
import type { Actors } from '../session/actors.ts'

export interface ClosingDrafts {
  /** Workspaces with a draft that is being closed, and how many. */
  readonly workspaces: ReadonlyMap<WorkspaceId, number>
  /**
   * Closes a draft. First the log makes the rows durable that the draft kept in case they were lost; calls that begin
   * meanwhile have their rows on the disk before their effects.
   */
  while<Value>(workspaceId: WorkspaceId, close: () => Promise<Value>): Promise<Value>
}

export function createClosingDrafts(actors: Actors): ClosingDrafts {
  const closing = new Map<WorkspaceId, number>()
  return {
    workspaces: closing,
    async while(workspaceId, close) {
      closing.set(workspaceId, (closing.get(workspaceId) ?? 0) + 1)
      try {
        await actors.each(workspaceId, own => own.settle())
        return await close()
      } finally {
        const left = closing.get(workspaceId)! - 1
        if (left > 0) closing.set(workspaceId, left)
        else closing.delete(workspaceId)
      }
    },
  }
}
