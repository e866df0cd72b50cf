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

/** The one way from a draft to the files: for a person's publish, for an approval, and for what a crash cut off of either. */
export interface Publisher {
  /** Plans, applies and closes; `answer` says how the draft ends and what its caller gets. */
  publish<Told>(draft: Draft, verdict: Verdict, answer: Answerer<Told>): Promise<Told>
  /** Ends a draft without a file written. */
  discard(draft: Draft, closing: Closing): Promise<Draft>
  /** After a restart: a yes that was not carried out is; files that were written and not answered for are answered for. */
  finishCutOff(answererOf: (draft: Draft) => Answerer<unknown>): Promise<void>
  /** What a draft has written. */
  findWritten(draft: Pick<Draft, 'id'>): Promise<Applied | undefined>
}

export interface PublisherPorts {
  readonly desk: Desk
  readonly drafts: DraftStore
  readonly now: () => Date
  /** The only way to the disk: applies a change set once what it comes from is kept, and tells the store. */
  readonly apply: (changeSet: ChangeSet, kept?: Promise<void>) => Promise<Result<Applied>>
  /** Whether a change set was applied before a restart. */
  readonly findApplied: (id: ChangeSetId) => Promise<Applied | undefined>
}

/** What a person, or whoever answered for one, accepted. */
export interface Verdict {
  readonly by: string
  readonly refused?: Decision['refused']
  /** For a draft on its way to the disk: what was planned a moment ago. */
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
  /** None where it was written before a restart. */
  readonly plan?: PublishPlan
}

/** What to say of a draft that was published, or of why it was not. */
export type Answerer<Told> = (
  draft: Draft,
  published: Result<Publication>,
) => Promise<DraftAnswer<Told>>

export interface DraftAnswer<Told> {
  readonly told: Told
  /** Kept together with how the draft ends; none: it stays open, as it was. */
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

  /** Once: what was applied before is not planned again. */
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
