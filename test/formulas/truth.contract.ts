import type { ChangeId, LoggedOperation, Operation } from '@filewright/protocol'
import { toBytes, unwrap } from '@filewright/protocol'
import {
  cellKey,
  cellName,
  WHOLE_SHEET,
} from '../../packages/documents/src/formats/xlsx/cell/address.ts'
import type { CellNow } from '../../packages/documents/src/formats/xlsx/cell/cells.ts'
import { scanFormulas } from '../../packages/documents/src/formats/xlsx/cell/formula-cells.ts'
import { XlsxDocument } from '../../packages/documents/src/formats/xlsx/document.ts'
import { same } from '../../packages/documents/src/formats/xlsx/recompute/accept-recompute.ts'
import { recompute } from '../../packages/documents/src/formats/xlsx/recompute/recompute.ts'
import { randomFrom } from '../../packages/documents/src/formats/xlsx/testing/random-edits.contract.ts'
import { NAME } from '../../packages/documents/src/formats/xlsx/testing/zoo.contract.ts'
import { workbookDrafts } from '../../packages/documents/src/formats/xlsx/workbook-drafts.ts'
import { packageEdits } from '../../packages/documents/src/formats/xlsx/write/package-content.ts'
import { traced } from '../../packages/documents/src/operation-trace.ts'
import { toWithdrawal } from '../../packages/documents/src/withdrawal.ts'
import { ALLOWED, anyOperations, baseOf, callOf, evaluator, late } from './sessions.contract.ts'

export function open(bytes: Uint8Array, computes = true): XlsxDocument {
  return unwrap(XlsxDocument.open(bytes, NAME, computes ? evaluator : undefined))
}

export function bytesOf(document: XlsxDocument, base: Uint8Array): Uint8Array {
  return toBytes(unwrap(document.content()), base)
}

/** What every cell shows, by its place; `?` where it is not known. */
export function showing(document: XlsxDocument): Map<string, string> {
  const cells = new Map<string, string>()
  each(document, (place, { formula, content, isStale }) => {
    if (!formula && content.type === 'empty' && !isStale) return
    const { type, value } = content
    cells.set(place, JSON.stringify([formula?.text, isStale ? '?' : [type, value]]))
  })
  return cells
}

function each(document: XlsxDocument, visit: (place: string, cell: CellNow) => void): void {
  const { book } = document
  for (const sheet of book.sheets)
    if (sheet.isInFile && sheet.kind === 'worksheet')
      book.values.scan(sheet, WHOLE_SHEET, cell =>
        visit(`${sheet.name}!${cellName(cell.row, cell.column)}`, cell),
      )
}

/** The first places that differ. */
export function differences(
  a: ReadonlyMap<string, string>,
  b: ReadonlyMap<string, string>,
): string[] {
  const places = new Set([...a.keys(), ...b.keys()])
  return [...places]
    .filter(place => a.get(place) !== b.get(place))
    .slice(0, 5)
    .map(place => `${place}: ${a.get(place)} / ${b.get(place)}`)
}

/** Known values that are others than those of a computation of the whole workbook from nothing, at no time: TODAY is left out. */
export function untrue(bytes: Uint8Array): string[] {
  const { book } = open(bytes)
  const unsettled = new Map(
    book.sheets.map(sheet => {
      const xml = sheet.isInFile && sheet.kind === 'worksheet' ? sheet.xml() : undefined
      const keys = new Set<number>()
      if (xml?.ok) scanFormulas(xml.value, own => void keys.add(cellKey(own.row, own.column)))
      return [sheet.id, keys]
    }),
  )
  book.change({ unsettled })
  const results = recompute(book, evaluator)
  const ids = new Map(book.sheets.map(({ name, id }) => [name, id]))
  const wrong: string[] = []
  each(open(bytes), (place, { formula, content, isStale, row, column }) => {
    const id = ids.get(place.slice(0, place.lastIndexOf('!')))!
    const full = formula && results.valueAt(id, cellKey(row, column))
    if (!full) return
    if (isStale) tally.lost++
    else tally.compared++
    if (!isStale && !isSame(content.value, full.value))
      wrong.push(`${place} =${formula.text}: ${content.value} / ${full.value}`)
  })
  return wrong.slice(0, 5)
}

/** How many known values were compared with those of a full computation; how many it knows and the file does not. */
export const tally = { compared: 0, lost: 0, checks: 0, refused: 0, partial: 0 }

/** How often each operation was accepted. */
export const accepted = new Map<string, number>()

function isSame(a: unknown, b: unknown): boolean {
  return typeof a === 'number' && typeof b === 'number' ? same(a, b) : a === b
}

/** Whatever a session shows is what a replay shows, what its file shows, and what a computation of it all gives. */
export function faultsOf(
  live: XlsxDocument,
  base: Uint8Array,
  log: readonly LoggedOperation[],
  isExact: boolean,
): string[] {
  tally.checks++
  const shows = showing(live)
  const fresh = open(base)
  const applied = fresh.apply(log, ALLOWED)
  if (!applied.ok) return [`the replay is refused: ${applied.failure.message}`]
  const bytes = bytesOf(live, base)
  const faults = differences(shows, showing(fresh)).map(own => `live and fresh differ: ${own}`)
  if (Buffer.compare(bytes, bytesOf(fresh, base)) !== 0) faults.push('the bytes of a replay differ')
  for (const own of differences(shows, showing(open(bytes))))
    faults.push(`live and published differ: ${own}`)
  if (isExact)
    for (const own of untrue(bytes)) faults.push(`not what a full computation gives: ${own}`)
  return [...faults, ...recalledFaults(live, base, log)]
}

/** A replay that recalls what operations found needs no evaluator, and makes the same file without results. */
function recalledFaults(
  live: XlsxDocument,
  base: Uint8Array,
  log: readonly LoggedOperation[],
): string[] {
  const { traces } = unwrap(open(base).apply(log, ALLOWED))
  const recalled = open(base, false)
  const applied = recalled.apply(
    log.map((logged, index) => traced(logged, traces[index]!)),
    ALLOWED,
  )
  if (!applied.ok) return [`the replay without an evaluator is refused: ${applied.failure.message}`]
  const { book } = live
  const without = book.part.package.content(unwrap(packageEdits(book)))
  return Buffer.compare(toBytes(without, base), bytesOf(recalled, base)) === 0
    ? []
    : ['the bytes of a replay without an evaluator differ']
}

/** Some of the changes are refused, or taken back: that can always be done, it is the same file, and it is true. */
function partialFaults(
  base: Uint8Array,
  log: readonly LoggedOperation[],
  refused: ChangeId,
  isExact: boolean,
): string[] {
  tally.partial++
  const drafts = workbookDrafts(evaluator)
  const partial = drafts.replay(base, log, new Set([refused]), NAME)
  if (!partial.ok) return [`without ${refused} it is refused: ${partial.failure.message}`]
  const bytes = toBytes(partial.value.content, base)
  const draft = unwrap(drafts.open(base, NAME))
  unwrap(draft.apply(log, ALLOWED))
  const undone = draft.apply([toWithdrawal([refused], { ...log.at(-1)!, toolCallId: 'undo' })])
  if (!undone.ok) return [`${refused} cannot be undone: ${undone.failure.message}`]
  const isSameFile = Buffer.compare(bytes, toBytes(unwrap(draft.content()), base)) === 0
  return [
    ...(isSameFile ? [] : [`undone, it is another file than without ${refused}`]),
    ...(isExact ? untrue(bytes) : []).map(own => `without ${refused}: ${own}`),
  ]
}

interface SessionOptions {
  /** After every operation of a call, and not of one of them alone. */
  readonly everyOperation: boolean
}

/** A session on one workbook; answers with what is not true in it. On a busy machine computations may end too late. */
export function session(seed: number, options: SessionOptions): readonly string[] {
  late.count = 0
  const faults = sessionFaults(seed, options)
  return late.count === 0 ? faults : []
}

function sessionFaults(seed: number, { everyOperation }: SessionOptions): readonly string[] {
  const random = randomFrom(seed)
  const { title, bytes } = baseOf(seed)
  const live = open(bytes)
  const isExact = untrue(bytes).length === 0
  const calls: LoggedOperation[][] = []
  const told = (faults: readonly string[]) => {
    const said = calls.map(call => JSON.stringify(call.map(own => own.operation)))
    return faults.map(fault => [`seed ${seed} (${title}): ${fault}`, ...said].join('\n'))
  }
  for (let number = 1; number <= 3; number++) {
    if (late.count > 0) return []
    if (random() < 0.3) live.map() // a look in between
    const call = nextCall(live, random, number)
    calls.push(call)
    const faults = faultsOf(live, bytes, calls.flat(), isExact)
    const chosen = 1 + Math.floor(random() * 2 * (call.length - 1)) // of every second call
    for (let length = 1; length < call.length; length++)
      if (everyOperation || length === chosen)
        faults.push(...shortenedFaults(bytes, calls, length, isExact))
    if (faults.length > 0) return told(faults)
  }
  const changes = live.changes()
  const refused = changes[Math.floor(random() * changes.length)]
  return refused ? told(partialFaults(bytes, calls.flat(), refused.id, isExact)) : []
}

/** Operations that were accepted together; those that were refused are left out one after another. */
function nextCall(live: XlsxDocument, random: () => number, number: number): LoggedOperation[] {
  const operations: Operation[] = []
  for (let count = 1 + Math.floor(random() * 3); count > 0; count--)
    operations.push(...anyOperations(live, random))
  for (;;) {
    const call = callOf(operations, number)
    const applied = live.apply(call, ALLOWED)
    if (applied.ok) {
      for (const { op } of operations) accepted.set(op, (accepted.get(op) ?? 0) + 1)
      return call
    }
    tally.refused++
    const at = Number(/operations\[(\d+)\]/.exec(applied.failure.message)?.[1] ?? 0)
    operations.splice(at, 1)
  }
}

/** What the last call showed after some of its operations, had it ended there. */
function shortenedFaults(
  base: Uint8Array,
  calls: readonly (readonly LoggedOperation[])[],
  length: number,
  isExact: boolean,
): string[] {
  const part = open(base)
  const last = calls.at(-1)!.slice(0, length)
  for (const call of [...calls.slice(0, -1), last]) unwrap(part.apply(call, ALLOWED))
  return faultsOf(part, base, [...calls.slice(0, -1).flat(), ...last], isExact)
}
