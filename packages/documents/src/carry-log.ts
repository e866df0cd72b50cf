import {
  type Change,
  type ChangeId,
  fail,
  type LoggedOperation,
  ok,
  type Result,
} from '@filewright/protocol'
import { ALLOWED, keyOf, type NarrowableDocument } from './draft-log.ts'
import type { ApplyOptions, DocumentName, Format, Rebased, RebaseRequest } from './format.ts'
import type { TouchedThings } from './operation-editor.ts'
import { type FoundPlaces, foundIn, withFound } from './operation-trace.ts'
import { withdrawnBy } from './withdrawal.ts'

interface CarryableDocument extends NarrowableDocument {
  readonly touched: ReadonlyMap<string, TouchedThings>
}

/** An operation of the draft as it was done there. */
export interface DoneOperation<Own> {
  readonly found: FoundPlaces
  readonly touched: TouchedThings
  readonly changes: readonly Change[]
  /** A person keeps these changes, whatever stands there now. */
  readonly isForced: boolean
  /** The draft after the operation. */
  readonly draft: Own
}

/** What an operation found and changed, as the other file names it; or which of its changes cannot be carried over. */
export type CarriedOperation =
  | { readonly found: FoundPlaces; readonly kept: readonly string[] }
  | { readonly reason: string; touches(change: Change): boolean }

export interface LogCarrier<Own> extends Pick<Format, 'replay'> {
  /** What its changes are made of: paragraphs, slides. */
  readonly nouns: string
  open(bytes: Uint8Array, name: DocumentName): Result<Own>
  /** Finds the places of one file in the other. */
  align(old: Own, now: Own): (operation: DoneOperation<Own>) => CarriedOperation
}

/**
 * Replays a log on bytes that somebody else saved, where everything that an operation reads or writes provably means the
 * same there.
 */
export function carryLog<Own extends CarryableDocument>(
  carrier: LogCarrier<Own>,
  request: RebaseRequest,
): Result<Rebased> {
  const { base, current, log, refused, name, since, advice, inputs } = request
  if (log.length === 0)
    return fail(
      'CONFLICT',
      `Nothing was written: "${name.path}" changed on disk ${since}, and its change cannot be carried over as a change of ${carrier.nouns}. ${advice}`,
    )
  const replayed = carrier.replay(base, log, refused, name, inputs)
  if (!replayed.ok) return replayed
  const old = carrier.open(base, name)
  if (!old.ok) return old
  const draft = carrier.open(base, name)
  if (!draft.ok) return draft
  const now = carrier.open(current, name)
  if (!now.ok) return now
  const target = carrier.open(current, name)
  if (!target.ok) return target
  const move = new Move(draft.value, target.value, carrier.align(old.value, now.value), {
    kept: new Set(replayed.value.changes.map(({ id }) => id)),
    ours: request.ours ?? new Set(),
    given: { ...ALLOWED, ...(inputs && { inputs }) },
  })
  for (const logged of log) if (!withdrawnBy(logged)) move.carry(logged)
  if (move.conflicts.length > 0)
    return refuseConflicts(request, move.conflicts, ({ place, reason, draft: own }) => {
      const { by = 'the draft' } = request
      return `${place}: ${reason}; ${by} has ${own ? JSON.stringify((own.text ?? '').slice(0, 60)) : 'it deleted'}`
    })
  const content = target.value.content()
  return content.ok ? ok({ content: content.value, log: move.log }) : content
}

const NOTHING: TouchedThings = { keys: new Set(), reads: new Set(), deleted: new Set() }

interface Chosen {
  readonly kept: ReadonlySet<ChangeId>
  /** Changes that a person kept in a conflict. */
  readonly ours: ReadonlySet<ChangeId>
  readonly given: ApplyOptions
}

interface Conflict {
  readonly changeId: ChangeId
  readonly place: string
  readonly reason: string
  readonly before: Change['before']
  readonly draft: Change['after']
}

class Move<Own extends CarryableDocument> {
  readonly conflicts: Conflict[] = []
  readonly log: LoggedOperation[] = []
  readonly #draft: Own
  readonly #target: Own
  readonly #carried: (operation: DoneOperation<Own>) => CarriedOperation
  readonly #chosen: Chosen
  readonly #lost = new Set<ChangeId>()

  constructor(
    draft: Own,
    target: Own,
    carried: (operation: DoneOperation<Own>) => CarriedOperation,
    chosen: Chosen,
  ) {
    this.#draft = draft
    this.#target = target
    this.#carried = carried
    this.#chosen = chosen
  }

  carry(logged: LoggedOperation): void {
    const { kept, ours, given } = this.#chosen
    const applied = this.#draft.applyAccepted([logged], given, id => kept.has(id))
    const changes = applied.ok ? applied.value.changes : []
    if (changes.length === 0) return
    if (changes.some(({ dependsOn }) => dependsOn.some(id => this.#lost.has(id))))
      return this.#lose(changes)
    const carried = this.#carried({
      found: applied.ok ? foundIn(applied.value.traces[0]!) : {},
      touched: this.#draft.touched.get(keyOf(logged)) ?? NOTHING,
      changes,
      isForced: changes.every(({ id }) => ours.has(id)),
      draft: this.#draft,
    })
    if ('found' in carried)
      return this.#write(
        withFound(
          { ...logged, operation: { ...logged.operation, kept: carried.kept } },
          carried.found,
        ),
        changes,
      )
    const touched = changes.filter(change => carried.touches(change))
    this.#refuse(touched.length > 0 ? touched : changes, carried.reason)
  }

  #write(moved: LoggedOperation, changes: readonly Change[]): void {
    const applied = this.#target.applyAccepted([moved], this.#chosen.given)
    if (!applied.ok)
      return this.#refuse(changes, applied.failure.message.replace(/^Nothing was written: /, ''))
    if (applied.value.changes.length !== changes.length)
      return this.#refuse(changes, 'it cannot be written there any more')
    this.log.push({ ...moved, trace: applied.value.traces[0]! })
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

export function refuseConflicts<Own>(
  { name, since, advice, version }: RebaseRequest,
  conflicts: readonly Own[],
  inWords: (conflict: Own) => string,
): Result<never> {
  const errors = conflicts.map(inWords)
  const more = errors.length > MOST ? ` And ${errors.length - MOST} more.` : ''
  return fail(
    'CONFLICT',
    `Nothing was written: "${name.path}" changed on disk ${since}, and ${errors.length === 1 ? 'one change' : `${errors.length} changes`} cannot be carried over. ${errors.slice(0, MOST).join('. ')}.${more} ${advice}`,
    { errors, details: { version, conflicts } },
  )
}
