import {
  type Change,
  type ChangeId,
  fail,
  type LoggedOperation,
  ok,
  type Result,
} from '@filewright/protocol'
import { ALLOWED, keyOf } from '../../draft-log.ts'
import type { ApplyOptions, Rebased, RebaseRequest } from '../../format.ts'
import { withdrawnBy } from '../../withdrawal.ts'
import { deckDrafts } from './deck-drafts.ts'
import { DeckDocument } from './document.ts'
import { referencesIn } from './rebase/carry-found.ts'
import { SlideAlignment } from './rebase/slide-alignment.ts'

/**
 * Replays the log on bytes that somebody else saved, where each slide and shape that an operation reads or writes
 * provably means the same there. Slides and shapes keep their ids, so a slide that moved is found again.
 */
export function rebase(request: RebaseRequest): Result<Rebased> {
  const { base, current, log, refused, name, since, advice, inputs } = request
  if (log.length === 0)
    return fail(
      'CONFLICT',
      `Nothing was written: "${name.path}" changed on disk ${since}, and its change cannot be carried over as a change of slides. ${advice}`,
    )
  const replayed = deckDrafts.replay(base, log, refused, name, inputs)
  if (!replayed.ok) return replayed
  const opened = [base, base, current, current].map(bytes => DeckDocument.open(bytes, name))
  const broken = opened.find(each => !each.ok)
  if (broken && !broken.ok) return broken
  const [old, draft, now, target] = opened.map(each => (each.ok ? each.value : undefined)) as [
    DeckDocument,
    DeckDocument,
    DeckDocument,
    DeckDocument,
  ]
  const move = new Move(new SlideAlignment(old.deck, now.deck), draft, target, {
    kept: new Set(replayed.value.changes.map(({ id }) => id)),
    ours: request.ours ?? new Set(),
    given: { ...ALLOWED, ...(inputs && { inputs }) },
  })
  for (const logged of log) if (!withdrawnBy(logged)) move.carry(logged)
  if (move.conflicts.length > 0) return refuse(request, move.conflicts)
  const content = target.content()
  return content.ok ? ok({ content: content.value, log: move.log }) : content
}

interface Conflict {
  readonly changeId: ChangeId
  readonly place: string
  readonly reason: string
  readonly before: Change['before']
  readonly draft: Change['after']
}

interface Chosen {
  readonly kept: ReadonlySet<ChangeId>
  /** Changes that a person kept in a conflict. */
  readonly ours: ReadonlySet<ChangeId>
  readonly given: ApplyOptions
}

class Move {
  readonly conflicts: Conflict[] = []
  readonly log: LoggedOperation[] = []
  readonly #alignment: SlideAlignment
  readonly #draft: DeckDocument
  readonly #target: DeckDocument
  readonly #chosen: Chosen
  readonly #lost = new Set<ChangeId>()

  constructor(
    alignment: SlideAlignment,
    draft: DeckDocument,
    target: DeckDocument,
    chosen: Chosen,
  ) {
    this.#alignment = alignment
    this.#draft = draft
    this.#target = target
    this.#chosen = chosen
  }

  carry(logged: LoggedOperation): void {
    const { kept, ours } = this.#chosen
    const applied = this.#draft.applyAccepted([logged], this.#chosen.given, id => kept.has(id))
    const changes = applied.ok ? applied.value.changes : []
    if (changes.length === 0) return
    if (changes.some(({ dependsOn }) => dependsOn.some(id => this.#lost.has(id))))
      return this.#lose(changes)
    const found = this.#draft.found.get(keyOf(logged)) ?? {}
    const isForced = changes.every(({ id }) => ours.has(id))
    const changed = isForced
      ? []
      : referencesIn(found).filter(({ ref, isWhole }) => !this.#alignment.isSame(ref, isWhole))
    if (changed.length > 0) {
      const places = new Set(changed.map(({ ref }) => this.#draft.deck.placeOf(ref)))
      const touched = changes.filter(({ place }) => places.has(place))
      return this.#refuse(touched.length > 0 ? touched : changes, 'it changed on disk')
    }
    const places = changes.map(({ place }) => this.#alignment.placeOf(place))
    this.#write({ ...logged, operation: { ...logged.operation, found, kept: places } }, changes)
  }

  #write(moved: LoggedOperation, changes: readonly Change[]): void {
    const applied = this.#target.applyAccepted([moved], this.#chosen.given)
    if (!applied.ok)
      return this.#refuse(changes, applied.failure.message.replace(/^Nothing was written: /, ''))
    if (applied.value.changes.length !== changes.length)
      return this.#refuse(changes, 'it cannot be written there any more')
    this.log.push(moved)
  }

  #refuse(changes: readonly Change[], reason: string): void {
    for (const { id, place, before, after } of changes)
      this.conflicts.push({ changeId: id, place, reason, before, draft: after })
    this.#lose(changes)
  }

  #lose(changes: readonly Change[]): void {
    for (const { id } of changes) this.#lost.add(id)
  }
}

const MOST = 10 // conflicts in the message; all of them are in the details

function refuse(
  { name, since, advice, version, by = 'the draft' }: RebaseRequest,
  conflicts: readonly Conflict[],
): Result<never> {
  const errors = conflicts.map(
    ({ place, reason, draft }) =>
      `${place}: ${reason}; ${by} has ${draft ? JSON.stringify((draft.text ?? '').slice(0, 60)) : 'it deleted'}`,
  )
  const more = errors.length > MOST ? ` And ${errors.length - MOST} more.` : ''
  return fail(
    'CONFLICT',
    `Nothing was written: "${name.path}" changed on disk ${since}, and ${errors.length === 1 ? 'one change' : `${errors.length} changes`} cannot be carried over. ${errors.slice(0, MOST).join('. ')}.${more} ${advice}`,
    { errors, details: { version, conflicts } },
  )
}
