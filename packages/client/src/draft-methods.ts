import {
  type ChangeId,
  counted,
  type DraftId,
  type DraftLine,
  type DraftSummary,
  fail,
  ok,
  type Published,
  type Result,
  type serialise,
  toVersion,
} from '@filewright/protocol'
import type { Draft } from './draft/draft.ts'
import type { DamagedDraft, DraftStore } from './draft/draft-store.ts'
import { type Desk, forgetDrafted } from './draft/draft-view.ts'
import { officeLockNames } from './files/office-lock.ts'
import type { MethodTable } from './link/answerer.ts'
import type { Answerer, Publication, Publisher } from './publish/publisher.ts'
import { diffsOf } from './review/diffs.ts'
import { closeOverDependants, neededBy } from './review/refusals.ts'
import { reviewFiles } from './review/review-files.ts'
import { summarise } from './review/summary.ts'

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

/** What a person does with drafts: look, review, publish some or all, discard. */
export function createDraftMethods(ports: DraftMethodsPorts) {
  const { desk, drafts, publisher, oneAtATime, now } = ports
  const { workspace } = desk

  async function choose(draftId: string | undefined): Promise<Result<Draft>> {
    if (draftId !== undefined) {
      const draft = await drafts.find(draftId as DraftId)
      if (draft) return ok(draft)
      const damaged = (await drafts.damaged()).find(({ id }) => id === draftId)
      if (damaged) return fail('NOT_FOUND', `The draft "${draftId}" is damaged. ${damaged.trouble}`)
      return fail(
        'NOT_FOUND',
        `There is no draft "${draftId}". Open drafts: ${
          drafts
            .open()
            .map(({ id }) => id)
            .join(', ') || 'none'
        }.`,
      )
    }
    const last = drafts.open().findLast(({ open }) => open.purpose === 'workshop')
    return last
      ? ok(last)
      : fail(
          'NOT_FOUND',
          'There is no open draft: nothing has been changed since the last publish.',
        )
  }

  async function publish(
    draft: Draft,
    refused: readonly ChangeId[],
    by: string,
  ): Promise<Result<Published>> {
    const warnings = await openElsewhere(draft)
    const verdict = { by, refused: refused.map(changeId => ({ changeId })) }
    const published = await publisher.publish(draft, verdict, answerPublish(by, now))
    if (!published.ok) return published
    forgetDrafted(desk, draft)
    const { value } = published
    return ok({ ...value, warnings: [...warnings, ...value.warnings] })
  }

  async function refusedBy(
    draft: Draft,
    only: readonly string[] | undefined,
    refused: readonly string[],
  ): Promise<Result<ChangeId[]>> {
    const reviewed = await reviewFiles(desk, draft)
    if (!reviewed.ok) return reviewed
    const all = reviewed.value.flatMap(file => file.changes)
    const known = new Set<string>(all.map(({ id }) => id))
    const unknown = [...(only ?? []), ...refused].filter(id => !known.has(id))
    if (unknown.length > 0)
      return fail(
        'NOT_FOUND',
        `Nothing was written: the draft has no change ${unknown.join(', ')}. "filewright review" lists its changes.`,
      )
    const wanted = only && new Set(only)
    const left = wanted ? all.map(({ id }) => id).filter(id => !wanted.has(id)) : []
    const gone = [...new Set([...left, ...(refused as ChangeId[])])]
    const { dropped } = closeOverDependants(all, gone)
    if (only && gone.length + dropped.length === all.length && dropped.length > 0)
      return fail(
        'INVALID_ARGUMENT',
        `Nothing was written, and the draft is as it was: ${dropped.join(', ')} cannot stand without changes that were left out. Name those too: ${neededBy(all, dropped).join(', ')}.`,
      )
    return ok(gone)
  }

  async function openElsewhere(draft: Draft): Promise<string[]> {
    const warnings: string[] = []
    for (const { path } of draft.files.values()) {
      const slash = path.lastIndexOf('/') + 1
      const locks = officeLockNames(path.slice(slash)).map(name => path.slice(0, slash) + name)
      const found = await Promise.all(locks.map(lock => workspace.locate(lock)))
      if (found.some(lock => lock.ok))
        warnings.push(
          `"${path}" seems to be open in an office program; close it there without saving, or it may write over the new version.`,
        )
    }
    return warnings
  }

  function summariseAll(listed: readonly Draft[]): Promise<DraftSummary[]> {
    return Promise.all(listed.map(draft => summarise(desk, draft)))
  }

  const methods: DraftMethods = {
    async 'draft-list'({ state }) {
      if (state === 'open') return ok(await summariseAll(drafts.open()))
      const all = await summariseAll(await drafts.list()) // which finds those that cannot be read
      return ok([...(await drafts.damaged()).map(toDamaged), ...all])
    },
    async 'draft-review'({ draftId }) {
      const draft = await choose(draftId)
      if (!draft.ok) return draft
      const { revision } = draft.value // before the changes: what is done meanwhile is then not taken as seen
      const reviewed = await reviewFiles(desk, draft.value)
      if (!reviewed.ok) return reviewed
      return ok({
        draft: { ...(await summarise(desk, draft.value, reviewed.value)), revision },
        changes: reviewed.value.flatMap(file => file.changes),
        diffs: await diffsOf(desk, draft.value),
        warnings: await openElsewhere(draft.value),
      })
    },
    async 'draft-publish'({ draftId, only, refused = [], revision, by }) {
      return withOpen(draftId, 'approve', async draft => {
        if (revision !== undefined && draft.revision !== revision)
          return fail(
            'CONFLICT',
            'Nothing was written: the draft has gone on since it was reviewed. Look at it again, then publish it.',
          )
        const isWhole = only === undefined && refused.length === 0
        const ids = isWhole ? ok([]) : await refusedBy(draft, only, refused)
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

  /** Works on a draft in its turn: as it is when writes of its session and other faces are done with it. */
  async function withOpen<Value>(
    draftId: string | undefined,
    answer: 'approve' | 'deny',
    work: (draft: Draft) => Promise<Result<Value>>,
  ): Promise<Result<Value>> {
    const chosen = await choose(draftId)
    if (!chosen.ok) return chosen
    return oneAtATime(chosen.value.sessionId, async () => {
      const draft = (await drafts.find(chosen.value.id)) ?? chosen.value
      if (draft.state !== 'open')
        return fail('CONFLICT', `The draft ${draft.id} is ${draft.state} already.`)
      if (draft.open.purpose === 'one-call')
        return fail(
          'INVALID_ARGUMENT',
          `The draft ${draft.id} waits at an approval. Answer it with: filewright approvals ${answer} ${draft.approvalId}`,
        )
      return work(draft)
    })
  }
  return { methods, choose }
}

function toDamaged({ id, trouble }: DamagedDraft): DraftSummary {
  const frame = { sessionId: '', purpose: 'workshop' as const, opened: '', touched: '' }
  return { ...frame, id, state: 'damaged', trouble, revision: 0, files: [] }
}

/** Answers for a draft that a person published; refused, it stays open as it was. */
export function answerPublish(by: string, now: () => Date): Answerer<Result<Published>> {
  return async (draft, published) => {
    if (!published.ok) return { told: published }
    const changeIds = published.value.refused.map(({ changeId }) => changeId as ChangeId)
    const time = now().toISOString()
    const lines: DraftLine[] = changeIds.length > 0 ? [{ type: 'refuse', changeIds, by, time }] : []
    return {
      told: ok(toPublished(draft, published.value, changeIds)),
      end: { how: 'published', lines },
    }
  }
}

function toPublished(
  draft: Draft,
  { applied, plan }: Publication,
  refused: readonly ChangeId[],
): Published {
  const files = applied.files.map(file => ({
    path: file.path,
    docPath: file.docPath,
    action: file.before === null ? 'created' : file.after === null ? 'deleted' : 'changed',
    version: file.after && toVersion(file.after),
  }))
  const count = counted(files.length, 'file')
  return {
    draftId: draft.id,
    sessionId: draft.sessionId,
    changeSetId: applied.changeSetId,
    files,
    refused,
    dropped: plan?.dropped ?? [],
    rebased: [...(plan?.rebasedOn.keys() ?? [])],
    warnings: applied.warnings,
    message:
      files.length === 0
        ? `Nothing was written: ${refused.length > 0 ? 'no change was accepted' : 'the files are as the draft has them already'}.`
        : `Published: ${count} written (${files.map(file => `${file.path} ${file.action}`).join(', ')}).`,
  }
}
