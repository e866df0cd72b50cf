import {
  type ChangeId,
  type DraftSummary,
  fail,
  ok,
  type Published,
  type Result,
  type serialise,
} from '@filewright/protocol'
import type { Draft } from '../draft/draft.ts'
import type { DamagedDraft, DraftStore } from '../draft/draft-store.ts'
import { type Desk, forgetDrafted } from '../draft/draft-view.ts'
import { findOpenElsewhere } from '../files/office-lock.ts'
import type { MethodTable } from '../link/answerer.ts'
import { answerPublish } from '../publish/answer-publish.ts'
import type { Publisher } from '../publish/publisher.ts'
import { diffsOf } from '../review/diffs.ts'
import { reviewFiles } from '../review/review-files.ts'
import { summarise } from '../review/summary.ts'
import { chooseDraft } from './choose-draft.ts'
import { chooseRefused } from './choose-refused.ts'

export interface DraftMethodsPorts {
  readonly desk: Desk
  readonly drafts: DraftStore
  readonly publisher: Publisher
  readonly oneAtATime: ReturnType<typeof serialise>
  readonly now: () => Date
}

export type DraftMethods = Pick<
  MethodTable,
  'draft-list' | 'draft-review' | 'draft-publish' | 'draft-discard'
>

/** A person's actions on drafts: list, review, publish some or all, discard. */
export function createDraftMethods(ports: DraftMethodsPorts): DraftMethods {
  const { desk, drafts, publisher, oneAtATime, now } = ports

  async function publish(
    draft: Draft,
    refused: readonly ChangeId[],
    by: string,
  ): Promise<Result<Published>> {
    const warnings = await findOpenElsewhere(desk.workspace, draft)
    const verdict = { by, refused: refused.map(changeId => ({ changeId })) }
    const published = await publisher.publish(draft, verdict, answerPublish(by, now))
    if (!published.ok) return published
    forgetDrafted(desk, draft)
    const { value } = published
    return ok({ ...value, warnings: [...warnings, ...value.warnings] })
  }

  function summariseAll(listed: readonly Draft[]): Promise<DraftSummary[]> {
    return Promise.all(listed.map(draft => summarise(desk, draft)))
  }

  /** Works on a draft after the session's writes and other faces are done with it. */
  async function withOpen<Value>(
    draftId: string | undefined,
    answer: 'approve' | 'deny',
    work: (draft: Draft) => Promise<Result<Value>>,
  ): Promise<Result<Value>> {
    const chosen = await chooseDraft(drafts, draftId)
    if (!chosen.ok) return chosen
    return oneAtATime(chosen.value.sessionId, async () => {
      const draft = (await drafts.find(chosen.value.id)) ?? chosen.value
      if (draft.state !== 'open')
        return fail('CONFLICT', `The draft ${draft.id} is already ${draft.state}.`)
      if (draft.open.purpose === 'one-call')
        return fail(
          'INVALID_ARGUMENT',
          `The draft ${draft.id} waits at an approval. Answer it with: filewright approvals ${answer} ${draft.approvalId}`,
        )
      return work(draft)
    })
  }

  return {
    async 'draft-list'({ state }) {
      if (state === 'open') return ok(await summariseAll(drafts.open()))
      const all = await summariseAll(await drafts.list()) // which finds unreadable ones
      return ok([...(await drafts.damaged()).map(toDamaged), ...all])
    },
    async 'draft-review'({ draftId }) {
      const draft = await chooseDraft(drafts, draftId)
      if (!draft.ok) return draft
      const { revision } = draft.value // before the changes, so that later work does not count as reviewed
      const reviewed = await reviewFiles(desk, draft.value)
      if (!reviewed.ok) return reviewed
      return ok({
        draft: { ...(await summarise(desk, draft.value, reviewed.value)), revision },
        changes: reviewed.value.flatMap(file => file.changes),
        diffs: await diffsOf(desk, draft.value),
        warnings: await findOpenElsewhere(desk.workspace, draft.value),
      })
    },
    async 'draft-publish'({ draftId, only, refused = [], revision, by }) {
      return withOpen(draftId, 'approve', async draft => {
        if (revision !== undefined && draft.revision !== revision)
          return fail(
            'CONFLICT',
            'Nothing was written: the draft has changed since it was reviewed. Review it again, then publish it.',
          )
        const isWhole = only === undefined && refused.length === 0
        const ids = isWhole ? ok([]) : await chooseRefused(desk, draft, { only, refused })
        return ids.ok ? publish(draft, ids.value, by) : ids
      })
    },
    async 'draft-discard'({ draftId, by }) {
      return withOpen(draftId, 'deny', async draft => {
        const closed = await publisher.discard(draft, { by })
        forgetDrafted(desk, closed)
        return ok(await summarise(desk, closed))
      })
    },
  }
}

function toDamaged({ id, trouble }: DamagedDraft): DraftSummary {
  const frame = { sessionId: '', purpose: 'workshop' as const, opened: '', touched: '' }
  return { ...frame, id, state: 'damaged', trouble, revision: 0, files: [] }
}
