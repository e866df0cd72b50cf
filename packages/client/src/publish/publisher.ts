import {
  type Applied,
  type ChangeId,
  type ChangeSet,
  type ChangeSetId,
  type Decision,
  type DraftLine,
  ok,
  type Result,
} from '@filewright/protocol'
import type { Draft } from '../draft/draft.ts'
import type { DraftStore } from '../draft/draft-store.ts'
import type { Desk } from '../draft/draft-view.ts'
import { changeSetIdOf } from './change-set-id.ts'
import { type PublishPlan, planPublish } from './plan-publish.ts'

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
  findWritten(draft: Pick<Draft, 'id'>): Promise<Applied | undefined>
}

export interface PublisherPorts {
  readonly desk: Desk
  readonly drafts: DraftStore
  readonly now: () => Date
  /** The only way to the disk: applies a change set once its origin is durable, and informs the store. */
  readonly apply: (changeSet: ChangeSet, kept?: Promise<void>) => Promise<Result<Applied>>
  /** Whether a change set was applied before a restart. */
  readonly findApplied: (id: ChangeSetId) => Promise<Applied | undefined>
}

/** The accepted changes, decided by a person or on their behalf. */
export interface Verdict {
  readonly by: string
  readonly refused?: Decision['refused']
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
  /** Absent when it was written before a restart. */
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
  readonly end?: { readonly how: 'published' | 'discarded'; readonly lines: readonly DraftLine[] }
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

  /** Runs once: an apply that already happened is not planned again. */
  async function write(
    draft: Draft,
    { refused = [], planned }: Verdict,
  ): Promise<Result<Publication>> {
    const id = changeSetIdOf(draft.id)
    const before = await findApplied(id)
    if (before) return ok({ applied: before, refused })
    const ids = refused.map(({ changeId }) => changeId as ChangeId)
    const plan = planned ? ok(planned.plan) : await planPublish(desk, draft, ids)
    if (!plan.ok) return plan
    const applied = await apply(plan.value.changeSet, planned?.kept)
    return applied.ok ? ok({ applied: applied.value, refused, plan: plan.value }) : applied
  }

  function close(
    draft: Draft,
    { how, by, lines = [] }: Closing & { readonly how: 'published' | 'discarded' },
  ): Promise<Draft> {
    const written = how === 'published' && { changeSetId: changeSetIdOf(draft.id) }
    const end: DraftLine = { type: 'close', how, ...written, by, time: now().toISOString() }
    return drafts.append(draft.id, [...lines, end])
  }

  return {
    publish,
    discard: (draft, closing) => close(draft, { ...closing, how: 'discarded' }),
    findWritten: ({ id }) => findApplied(changeSetIdOf(id)),

    async finishCutOff(answererOf) {
      for (const draft of drafts.open()) {
        const { decision } = draft
        const isAccepted = decision?.decision === 'approved'
        if (isAccepted || (await findApplied(changeSetIdOf(draft.id))))
          await publish(draft, decision ?? { by: 'recovery' }, answererOf(draft))
      }
    },
  }
}
