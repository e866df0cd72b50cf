import {
  type Change,
  type ChangeId,
  fail,
  type LoggedOperation,
  ok,
  type Result,
  toBytes,
} from '@filewright/protocol'
import { refuseConflicts } from '../../carry-log.ts'
import { ALLOWED, keyOf } from '../../draft-log.ts'
import type { Evaluator } from '../../evaluation.ts'
import type { ApplyOptions, Rebased, RebaseRequest } from '../../format.ts'
import { withdrawnBy } from '../../withdrawal.ts'
import type { Sheet } from './book/sheet.ts'
import { XlsxDocument } from './document.ts'
import { logBetween } from './log-between.ts'
import { proofOf } from './rebase/carriers.ts'
import type { Carried } from './rebase/carry.ts'
import { inWords, toConflict, type WorkbookConflict } from './rebase/conflict.ts'
import { Frame } from './rebase/frame.ts'
import { doubtOfMovedLines } from './rebase/moved-lines.ts'
import { Places } from './rebase/places.ts'
import { workbookDrafts } from './workbook-drafts.ts'

/**
 * Replays the log on bytes that somebody else saved, where each operation provably means the same there: its places are
 * found, and what it reads and overwrites is logically as it was.
 */
export function rebase(request: RebaseRequest, evaluator?: Evaluator): Result<Rebased> {
  const { log, left } = request
  if (log.length > 0 && !left && !mixesPlaces(log)) return rebaseLog(request, evaluator)
  return rebaseDifference(request, evaluator)
}

function rebaseDifference(request: RebaseRequest, evaluator?: Evaluator): Result<Rebased> {
  const { base, current, log, left, planned, name, since, advice } = request
  const made = toBytes(planned, base)
  const doubt = doubtOfMovedLines(base, made, current)
  const difference = doubt ? undefined : logBetween(base, made, name, { log, changes: left ?? [] })
  if (difference) return rebaseLog({ ...request, log: difference, refused: NONE }, evaluator)
  const reason = doubt ? ` (${doubt})` : ''
  return fail(
    'CONFLICT',
    `Nothing was written: "${name.path}" changed on disk ${since}, and its change cannot be carried over as a change of cells${reason}. ${advice}`,
  )
}

const NONE: ReadonlySet<ChangeId> = new Set()

/** Cells move and the list of sheets changes: sheets then go by new numbers, which nothing pairs with those of the file. */
function mixesPlaces(log: readonly LoggedOperation[]): boolean {
  const moved = log.map(({ operation }) => proofOf(operation.op).moves)
  return moved.includes('cells') && moved.includes('sheets')
}

/** Lines are left out that places of later changes count. */
function hasMovedBack(log: readonly LoggedOperation[], changes: readonly Change[]): boolean {
  const left = new Set(changes.map(({ operation }) => keyOf(operation)))
  const at = log.findIndex(
    logged => proofOf(logged.operation.op).moves === 'cells' && !left.has(keyOf(logged)),
  )
  return at >= 0 && log.slice(at).some(logged => left.has(keyOf(logged)))
}

function rebaseLog(request: RebaseRequest, evaluator?: Evaluator): Result<Rebased> {
  const { base, current, log, refused, name, inputs } = request
  const replayed = workbookDrafts().replay(base, log, refused, name, inputs)
  if (!replayed.ok) return replayed
  if (hasMovedBack(log, replayed.value.changes)) return rebaseDifference(request, evaluator)
  const places = Places.open(base, current)
  if (!places.ok) return places
  const draft = XlsxDocument.open(base, name)
  if (!draft.ok) return draft
  const target = XlsxDocument.open(current, name, evaluator)
  if (!target.ok) return target
  const kept = new Set(replayed.value.changes.map(({ id }) => id))
  const move = new Move(places.value, draft.value, target.value, {
    kept,
    isWhole: refused.size === 0 && !log.some(withdrawnBy),
    ours: request.ours ?? new Set(),
    given: { ...ALLOWED, inputs },
  })
  for (const logged of log) if (!withdrawnBy(logged)) move.carry(logged)
  if (move.conflicts.length > 0)
    return refuseConflicts(request, move.conflicts, own => inWords(own, request.by))
  const content = target.value.content()
  return content.ok ? ok({ content: content.value, log: move.log }) : content
}

interface Chosen {
  readonly kept: ReadonlySet<ChangeId>
  /** Nothing is refused. */
  readonly isWhole: boolean
  readonly ours: ReadonlySet<ChangeId>
  readonly given: ApplyOptions
}

class Move {
  readonly conflicts: WorkbookConflict[] = []
  readonly log: LoggedOperation[] = []
  readonly #draft: XlsxDocument
  readonly #target: XlsxDocument
  readonly #chosen: Chosen
  readonly #frame: Frame
  readonly #origin: Frame
  readonly #lost = new Set<ChangeId>()
  readonly #written = new Set<string>()

  constructor(places: Places, draft: XlsxDocument, target: XlsxDocument, chosen: Chosen) {
    this.#draft = draft
    this.#target = target
    this.#chosen = chosen
    this.#frame = new Frame(places, draft.book, target.book)
    this.#origin = new Frame(places, places.old, places.now)
  }

  carry(logged: LoggedOperation): void {
    const { operation } = logged
    const sheet = typeof operation.sheet === 'string' ? operation.sheet : undefined
    const framed = sheet === undefined ? undefined : this.#frame.named(sheet)
    const on = framed && { sheet: framed, name: framed.draft.name }
    const before = new Set(this.#draft.book.sheets)
    const { kept, given } = this.#chosen
    const applied = this.#draft.applyAccepted([logged], given, id => kept.has(id))
    const changes = applied.ok ? applied.value.changes : []
    if (changes.length === 0) return
    if (changes.some(({ dependsOn }) => dependsOn.some(id => this.#lost.has(id)))) {
      for (const { id } of changes) this.#lost.add(id)
      return
    }
    const carried = proofOf(operation.op).carry({
      logged,
      changes,
      frame: this.#frame,
      origin: this.#origin,
      ...(on && { on }),
      isWhole: this.#chosen.isWhole,
      isForced: ({ id }) => this.#chosen.ours.has(id),
      isOwn: place => this.#written.has(place),
    })
    this.#write(logged, changes, carried)
    for (const { place } of changes) this.#written.add(place)
    for (const made of this.#draft.book.sheets) if (!before.has(made)) this.#linkMade(made)
  }

  #linkMade(made: Sheet): void {
    const twin = this.#target.book.sheet(made.name)
    if (twin) this.#frame.link(made, twin)
  }

  #write(logged: LoggedOperation, changes: readonly Change[], carried: Carried): void {
    const { operations, expected, conflicts } = carried
    if (conflicts.length > 0) return this.#refuse(changes, conflicts)
    const moved = operations.map(operation => ({ ...logged, operation, trace: undefined })) // it looks there
    const accepts = expected && ((id: ChangeId) => expected.has(id))
    const applied = this.#target.applyAccepted(moved, this.#chosen.given, accepts)
    if (!applied.ok) {
      const reason = applied.failure.message.replace(/^Nothing was written: /, '')
      return this.#refuse(
        changes,
        changes.map(change => toConflict(change, reason)),
      )
    }
    this.log.push(...moved.map((own, i) => ({ ...own, trace: applied.value.traces[i]! })))
    const missed = findMissed(changes, expected, applied.value.changes)
    if (missed.length > 0)
      this.#refuse(
        missed,
        missed.map(change => toConflict(change, 'it cannot be written there any more')),
      )
  }

  #refuse(changes: readonly Change[], conflicts: readonly WorkbookConflict[]): void {
    this.conflicts.push(...conflicts)
    for (const { id } of changes) this.#lost.add(id)
  }
}

/** The changes that an operation did not make: it was done where something else stands in its way, such as merged cells. */
function findMissed(
  changes: readonly Change[],
  expected: Carried['expected'],
  made: readonly Change[],
): readonly Change[] {
  if (!expected) return made.length === changes.length ? [] : changes
  const ids = new Set(made.map(({ id }) => id))
  return [...expected].flatMap(([id, change]) => (ids.has(id) ? [] : [change]))
}
