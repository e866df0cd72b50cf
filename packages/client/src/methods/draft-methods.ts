import {
  type DraftDeed,
  type DraftSummary,
  type ExecutedFile,
  fail,
  ok,
  type Published,
  type Result,
  type SessionId,
  type serialise,
} from '@filewright/protocol'
import type { Draft } from '../draft/draft.ts'
import type { DamagedDraft, DraftStore } from '../draft/draft-store.ts'
import { type Desk, forgetDrafted } from '../draft/draft-view.ts'
import { withoutKeys } from '../files/key-files.ts'
import { findOpenElsewhere } from '../files/office-lock.ts'
import type { MethodTable } from '../link/answerer.ts'
import { answerPublish } from '../publish/answer-publish.ts'
import { findExecuted } from '../publish/executed.ts'
import { type Expected, expectedFiles } from '../publish/expected-files.ts'
import type { Publisher, Verdict } from '../publish/publisher.ts'
import { findConflicts } from '../resolve/find-conflicts.ts'
import { resolveConflicts, withLeft } from '../resolve/resolve-conflicts.ts'
import { consequencesOf } from '../review/consequences.ts'
import { diffsOf } from '../review/diffs.ts'
import { heldIn } from '../review/held-files.ts'
import { reviewFiles } from '../review/review-files.ts'
import type { ReviewedFile } from '../review/reviewed-file.ts'
import { type Chosen, chooseChanges, howToName } from './choose-changes.ts'
import { chooseDraft } from './choose-draft.ts'
import { summarise } from './draft-summary.ts'
import { cancelsOut, netChanges } from './net-changes.ts'
import { rewindDrafts } from './rewind-draft.ts'

export interface DraftMethodsPorts {
  readonly desk: Desk
  readonly drafts: DraftStore
  readonly publisher: Publisher
  /** What people did with drafts lately, oldest first. */
  readonly listDeeds: (limit: number) => Promise<readonly DraftDeed[]>
  readonly oneAtATime: ReturnType<typeof serialise>
  readonly now: () => Date
}

export type DraftMethods = Pick<
  MethodTable,
  | 'draft-list'
  | 'draft-review'
  | 'draft-net'
  | 'draft-publish'
  | 'draft-discard'
  | 'draft-resolve'
  | 'draft-deeds'
  | 'draft-rewind'
>

/** A person's actions on drafts: list, review, publish some or all, discard. */
export function createDraftMethods(ports: DraftMethodsPorts): DraftMethods {
  const { desk, drafts, publisher, oneAtATime, now } = ports

  async function publish(
    draft: Draft,
    { refused, undecided, waiting, named }: Chosen,
    { by, unsaved }: Pick<Verdict, 'by' | 'unsaved'>,
  ): Promise<Result<Published>> {
    const warnings = await findOpenElsewhere(desk.workspace, draft)
    const verdict = {
      by,
      unsaved,
      refused: refused.map(changeId => ({ changeId })),
      undecided,
      named,
    }
    const published = await publisher.publish(draft, verdict, answerPublish(by, now))
    if (!published.ok) return published
    const isEmpty = published.value.files.length + refused.length + undecided.length === 0
    const value = isEmpty ? await sayIfCancelled(draft, published.value) : published.value
    if (value.undecided === 0) forgetDrafted(desk, draft)
    return ok({
      ...value,
      ...sayWaiting(value, waiting),
      warnings: [...warnings, ...value.warnings],
    })
  }

  async function sayIfCancelled(draft: Draft, published: Published): Promise<Published> {
    const net = await netChanges(desk, draft)
    if (!net.ok || net.value.length > 0) return published
    return { ...published, message: 'Nothing was written: the changes of the draft cancel out.' }
  }

  /** Without files whose edits cancel out: there is nothing to decide on. */
  async function reviewNet(draft: Draft, expected: Expected) {
    const reviewed = await reviewFiles(desk, draft)
    if (!reviewed.ok) return reviewed
    const files: ReviewedFile[] = []
    const cancelled: string[] = []
    for (const each of reviewed.value)
      if (await cancelsOut(desk, draft, each, expected)) cancelled.push(each.file.path)
      else files.push(each)
    return ok({ files, cancelled })
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

  /** Of an open draft: a closed one has nothing left to decide. */
  async function conflictsIn(draft: Draft, reviewed: readonly ReviewedFile[]) {
    if (draft.state !== 'open') return ok([])
    const whole = reviewed.filter(({ broken }) => !broken)
    const met = await findConflicts(desk, draft, whole)
    return met.ok ? ok(met.value.flatMap(({ conflicts }) => conflicts)) : met
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
      const expected = await expectedFiles(desk, draft.value)
      if (!expected.ok) return expected
      const reviewed = await reviewNet(draft.value, expected.value)
      if (!reviewed.ok) return reviewed
      const { files, cancelled } = reviewed.value
      const held = draft.value.state === 'open' ? heldIn(files) : []
      const conflicts = await conflictsIn(draft.value, files)
      if (!conflicts.ok) return conflicts
      const consequences = await consequencesOf(desk, draft.value, files)
      const executed = draft.value.state === 'open' ? await findExecuted(desk, files) : []
      const waiting = [...executed, ...held]
      const shown = await withoutKeys(desk, draft.value, {
        changes: files.flatMap(file => file.changes),
        diffs: await diffsOf(desk, draft.value, file => expected.value(file).written),
      })
      return ok({
        draft: { ...(await summarise(desk, draft.value, files)), revision },
        changes: shown.changes,
        diffs: shown.diffs,
        ...(consequences.length > 0 && { consequences }),
        ...(waiting.length > 0 && { executed: waiting }),
        warnings: [
          ...executed.map(
            ({ why }) => `${why} It is written only when a person names its changes.`,
          ),
          ...held.map(({ why, changeIds }) =>
            changeIds.length > 0 ? `${why} They are written only when a person names them.` : why,
          ),
          ...cancelled.map(
            path => `The changes of "${path}" cancel out: publishing leaves it as it is.`,
          ),
          ...(await findOpenElsewhere(desk.workspace, draft.value)),
          ...shown.warnings,
        ],
        conflicts: conflicts.value,
      })
    },
    async 'draft-net'({ sessionId }) {
      const draft = drafts.openOf(sessionId as SessionId)
      return draft ? netChanges(desk, draft) : ok([])
    },
    async 'draft-publish'({ draftId, only, refused = [], revision, by, unsaved }) {
      return withOpen(draftId, 'approve', async draft => {
        if (revision !== undefined && draft.revision !== revision)
          return fail(
            'CONFLICT',
            'Nothing was written: the draft has changed since it was reviewed. Review it again, then publish it.',
          )
        const left = await chooseChanges(desk, draft, { only, refused })
        return left.ok ? publish(draft, left.value, { by, unsaved }) : left
      })
    },
    async 'draft-resolve'({ draftId, changeIds, side, by }) {
      return withOpen(draftId, 'approve', async draft => {
        const time = now().toISOString()
        const resolution = await resolveConflicts(desk, draft, { changeIds, side, by, time })
        if (!resolution.ok) return resolution
        const { lines, dropped, message } = resolution.value
        forgetDrafted(desk, draft) // an operation that lost a place keeps its id
        const resolved = await drafts.append(draft.id, lines)
        const reviewed = await reviewFiles(desk, resolved)
        if (!reviewed.ok) return reviewed
        const conflicts = await conflictsIn(resolved, reviewed.value)
        if (!conflicts.ok) return conflicts
        const summary = await summarise(desk, resolved, reviewed.value)
        const said = withLeft(message, conflicts.value)
        return ok({ draft: summary, dropped, conflicts: conflicts.value, message: said })
      })
    },
    'draft-deeds': async ({ limit }) => ok(await ports.listDeeds(limit)),
    'draft-rewind': request => oneAtATime(request.sessionId, () => rewindDrafts(ports, request)),
    async 'draft-discard'({ draftId, by }) {
      return withOpen(draftId, 'deny', async draft => {
        const closed = await publisher.discard(draft, { by })
        forgetDrafted(desk, closed)
        return ok(await summarise(desk, closed))
      })
    },
  }
}

/** What stays because nobody named it. */
function sayWaiting({ message }: Published, waiting: readonly ExecutedFile[]) {
  if (waiting.length === 0) return {}
  const whys = waiting.map(({ why }) => why).join(' ')
  const how = howToName(waiting)
  return {
    executed: waiting,
    message: `${message} ${whys}${how && ` A person has to name it: ${how}`}`,
  }
}

function toDamaged({ id, trouble }: DamagedDraft): DraftSummary {
  const frame = { sessionId: '', purpose: 'workshop' as const, opened: '', touched: '' }
  return { ...frame, id, state: 'damaged', trouble, revision: 0, files: [] }
}
