import { type IdSource, LIMITS, type WorkspaceId } from '@filewright/protocol'
import type { ClientLink } from '../link/client-link.ts'
import { type DraftNote, noteDeed } from '../session/draft-note.ts'
import type { Inboxes } from '../session/inboxes.ts'
import type { Settings } from '../store/settings.ts'

/** What people do with drafts: each deed gets its row in the draft's session, even if the server dies in between. */
export interface DraftDeeds {
  /**
   * Durable before the deed: from here until the row is written, somebody may have to ask the client what was done.
   * `note` is undefined where nothing was done.
   */
  begin(workspaceId: WorkspaceId): Promise<{ end(note: DraftNote | undefined): Promise<void> }>
  /** After a crash: the rows that are missing. */
  restore(workspaceId: WorkspaceId): Promise<void>
}

export interface DraftDeedsOptions {
  readonly settings: Settings
  readonly link: ClientLink
  readonly inboxes: Inboxes
  readonly ids: IdSource
}

const LOOKED_AT = { limit: 64 } // more cannot be under way at once
const WITHIN = { timeoutMs: LIMITS.toolTimeoutMs }

export function createDraftDeeds({ settings, link, inboxes, ids }: DraftDeedsOptions): DraftDeeds {
  const keyOf = (workspaceId: WorkspaceId, id = '') => `draft-deed/${workspaceId}/${id}`
  return {
    async begin(workspaceId) {
      const key = keyOf(workspaceId, ids('message'))
      await settings.set(key, true)
      return {
        async end(note) {
          const isTold = note === undefined || (await inboxes.tell(workspaceId, note))
          if (isTold) await settings.delete(key)
        },
      }
    },

    async restore(workspaceId) {
      const begun = await settings.list(keyOf(workspaceId))
      if (begun.length === 0) return
      const done = await link.ask(workspaceId, 'draft-deeds', LOOKED_AT, WITHIN)
      if (!done.ok && done.failure.kind === 'unavailable') return // it is asked when it comes back
      for (const deed of done.ok ? done.value : []) {
        const note = noteDeed(deed)
        if (note) await inboxes.tell(workspaceId, note)
      }
      for (const { key } of begun) await settings.delete(key)
    },
  }
}
