import {
  type Applied,
  type ChangeId,
  type ChangeSetId,
  type Decision,
  type DocPath,
  type DraftLine,
  ok,
  type Result,
  type UnsavedText,
} from '@filewright/protocol'
import type { Draft } from '../draft/draft.ts'
import type { DraftStore } from '../draft/draft-store.ts'
import type { Desk } from '../draft/draft-view.ts'
import { changeSetIdOf } from './change-set-id.ts'
import type { DiskWriter } from './disk-writer.ts'
import { namedBy } from './executed.ts'
import { type PublishPlan, planPublish } from './plan-publish.ts'
import { checkUnsaved } from './unsaved.ts'

/** The only way from a draft to the files: for a person's publish, for an approval, and for either after a crash. */
export interface Publisher {
  /** Plans, applies and closes; `answer` says how the draft ends and what its caller gets. */
  publish<Told>(draft: Draft, verdict: Verdict, answer: Answerer<Told>): Promise<Told>
  /** Ends a draft without writing a file. */
  discard(draft: Draft, closing: Closing): Promise<Draft>
  /**
   * After a restart: carries out an approval that was not, and answers for files that were written without an answer.
   */
  finishCutOff(answererOf: (draft: Draft) => Answerer<unknown>): Promise<void>
  /** The change set that a draft has written. */
  findWritten(draft: Draft): Promise<Applied | undefined>
}

export interface PublisherPorts {
  readonly desk: Desk
  readonly drafts: DraftStore
  readonly now: () => Date
  /** The only way to the disk: applies a change set once its origin is durable, and informs the store. */
  readonly apply: DiskWriter['apply']
  /** Whether a change set was applied before a restart. */
  readonly findApplied: (id: ChangeSetId) => Promise<Applied | undefined>
  /** Bytes that only the store has. */
  readonly fetchBase: (sha256: string) => Promise<Uint8Array | undefined>
  /** The desk as it was before a change set was applied. */
  readonly deskBefore: (applied: Applied) => Desk
}

/** The accepted changes, decided by a person or on their behalf. */
export interface Verdict {
  readonly by: string
  readonly refused?: Decision['refused']
  /** Changes that stay in the draft. */
  readonly undecided?: readonly ChangeId[]
  readonly unsaved?: readonly UnsavedText[]
  /** Files that a person was asked about by name, where other programs execute them. */
  readonly named?: readonly DocPath[]
  /** For a draft on its way to the disk: the plan made a moment ago. */
  readonly planned?: Planned
}

export interface Planned {
  readonly plan: PublishPlan
  /** The draft's lines are durable. */
  readonly kept: Promise<void>
}

export interface Publication {
  readonly applied: Applied
  readonly refused: NonNullable<Decision['refused']>
  /** How many changes stay in the draft. */
  readonly undecided: number
  /** Absent when it was written before a restart and its plan cannot be made again. */
  readonly plan?: PublishPlan
}

/** The answer for a published draft, or the reason why it was not published. */
export type Answerer<Told> = (
  draft: Draft,
  published: Result<Publication>,
) => Promise<DraftAnswer<Told>>

export interface DraftAnswer<Told> {
  readonly told: Told
  /** Stored together with the end of the draft; absent: it stays open unchanged. */
  readonly end?: {
    /** `partly`: the draft stays open with its other changes. */
    readonly how: 'published' | 'partly' | 'discarded'
    readonly lines: readonly DraftLine[]
  }
}

export interface Closing {
  readonly by: string
  readonly lines?: readonly DraftLine[]
}

export function createPublisher({
  desk,
  drafts,
  now,
  apply,
  findApplied,
  fetchBase,
  deskBefore,
}: PublisherPorts): Publisher {
  async function publish<Told>(
    draft: Draft,
    verdict: Verdict,
    answer: Answerer<Told>,
  ): Promise<Told> {
    const { told, end } = await answer(draft, await write(draft, verdict))
    if (end) await close(draft, { by: verdict.by, ...end })
    return told
  }

  /** Durable before the files are written: a crash afterwards must not forget which changes they have. */
  async function record(
    draft: Draft,
    { changeSet, changeIds, done, withdrawn }: PublishPlan,
    { by, undecided = [] }: Verdict,
  ): Promise<void> {
    const part = { changeSetId: changeSet.id, changeIds, settled: done, withdrawn }
    const time = now().toISOString()
    const line = { type: 'publish', ...part, undecided: undecided.length, by, time } as const
    await drafts.append(draft.id, [line])
  }

  /** Runs once: an apply that already happened is not planned again. */
  async function write(draft: Draft, verdict: Verdict): Promise<Result<Publication>> {
    const { refused = [], undecided = [], planned } = verdict
    const ids = refused.map(({ changeId }) => changeId as ChangeId)
    const left = { refused: ids, undecided }
    const before = await findApplied(changeSetIdOf(draft))
    if (before) {
      const made = await planPublish(deskBefore(before), draft, left)
      const publication = { applied: before, refused, undecided: undecided.length }
      return ok(made.ok ? { ...publication, plan: made.value } : publication)
    }
    const plan = planned ? ok(planned.plan) : await planPublish(desk, draft, left)
    if (!plan.ok) return plan
    const beside = await checkUnsaved({ desk, fetchBase }, draft, plan.value, verdict.unsaved)
    if (!beside.ok) return beside
    // an intent that was not carried out may be left, so that a whole publish needs its own
    if (undecided.length > 0 || draft.publishing) await record(draft, plan.value, verdict)
    const applied = await apply(plan.value.changeSet, { kept: planned?.kept, named: verdict.named })
    if (!applied.ok) return applied
    const warnings = [...applied.value.warnings, ...beside.value]
    return ok({
      applied: { ...applied.value, warnings },
      refused,
      undecided: undecided.length,
      plan: plan.value,
    })
  }

  function close(
    draft: Draft,
    { how, by, lines = [] }: Closing & { readonly how: 'published' | 'partly' | 'discarded' },
  ): Promise<Draft> {
    const changeSetId = changeSetIdOf(draft)
    const time = now().toISOString()
    const end: DraftLine =
      how === 'partly'
        ? { type: 'published', changeSetId, time }
        : { type: 'close', how, ...(how === 'published' && { changeSetId }), by, time }
    return drafts.append(draft.id, [...lines, end])
  }

  return {
    publish,
    discard: (draft, closing) => close(draft, { ...closing, how: 'discarded' }),
    findWritten: draft => findApplied(changeSetIdOf(draft)),

    async finishCutOff(answererOf) {
      for (const draft of drafts.open()) {
        const { decision, publishing } = draft
        const id = changeSetIdOf(draft)
        const isAccepted = decision?.decision === 'approved'
        const isWritten = (await findApplied(id)) !== undefined
        if (isWritten && publishing?.changeSetId === id && publishing.undecided > 0)
          await close(draft, { how: 'partly', by: publishing.by })
        else if (isAccepted || isWritten)
          await publish(
            draft,
            { ...(decision ?? { by: 'recovery' }), named: namedBy(draft.files.values()) },
            answererOf(draft),
          )
      }
    },
  }
}
