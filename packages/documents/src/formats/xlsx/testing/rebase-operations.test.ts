import { type LoggedOperation, type Operation, toBytes, unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { IS_FULL } from '../../../corpus.contract.ts'
import { diffWorkbooks } from '../diff.ts'
import { xlsxFormat } from '../format.ts'
import { randomBooks } from './random-books.contract.ts'
import { randomFrom, randomOperation } from './random-edits.contract.ts'
import { structureFaults } from './structure.contract.ts'
import { logged, NAME } from './zoo.contract.ts'

const CASES = IS_FULL ? 1_500 : 40
const ALLOWED = { allowProtected: true, allowBreakSignature: true }
const books = randomBooks().filter(({ title }) => !title.includes('/'))

/** A draft and a foreign save, both made of operations of every kind. */
describe('operations of every kind on a workbook that somebody else saved', () => {
  test(`${CASES} times: as if one had been done after the other, or a conflict`, () => {
    const count = { rebased: 0, conflicts: 0 }
    for (let seed = 1; seed <= CASES; seed++) {
      const base = books[seed % books.length]!.bytes
      const random = randomFrom(seed)
      const draft = randomLog(base, random, 'tc_draft')
      const other = randomLog(base, random, 'tc_other')
      const current = saved(base, other)!
      const what = `seed ${seed}: ${show(draft)} beside ${show(other)}`
      const result = rebase(base, current, draft)
      if (!result.ok) {
        expect(result.failure.code, what).toBe('CONFLICT')
        count.conflicts++
        continue
      }
      count.rebased++
      const after = toBytes(result.value.content, current)
      const known = new Set(structureFaults(current))
      expect(
        structureFaults(after).filter(fault => !known.has(fault)),
        what,
      ).toEqual([])
      const orders = inEitherOrder(base, changing(base, draft), changing(base, other))
      const left = orders.map(order => order && differences(order, after))
      expect(
        left.some(changes => changes?.length === 0),
        `${what} ${JSON.stringify(left)}`,
      ).toBe(true)
    }
    if (IS_FULL) console.log(`operations: ${count.rebased} rebased, ${count.conflicts} conflicts`)
    expect(count.rebased).toBeGreaterThan(CASES / 4)
  }, 900_000)
})

function randomLog(base: Uint8Array, random: () => number, call: string): LoggedOperation[] {
  const document = unwrap(xlsxFormat.open(base, NAME))
  const accepted: Operation[] = []
  for (let count = 1 + Math.floor(random() * 3); count > 0; count--) {
    const operation = randomOperation(document, random)
    if (document.apply(logged([...accepted, operation], call).slice(-1), ALLOWED).ok)
      accepted.push(operation)
  }
  return logged(accepted, call)
}

/** Undefined where the operations cannot be done there. */
function saved(base: Uint8Array, log: readonly LoggedOperation[]): Uint8Array | undefined {
  const document = unwrap(xlsxFormat.open(base, NAME))
  return document.apply(log, ALLOWED).ok ? toBytes(unwrap(document.content()), base) : undefined
}

function rebase(base: Uint8Array, current: Uint8Array, log: readonly LoggedOperation[]) {
  const { content } = unwrap(xlsxFormat.replay(base, log, new Set(), NAME))
  return xlsxFormat.rebase!({
    name: NAME,
    base,
    current,
    log,
    refused: new Set(),
    planned: content,
    version: '12345678',
    since: 'since the draft began',
    advice: 'Decide.',
    isDraft: true,
  })
}

function differences(before: Uint8Array, after: Uint8Array) {
  const { changes } = unwrap(diffWorkbooks(before, after, NAME))
  return changes.map(({ place, before: old, after: now }) => [place, old, now])
}

/** Without the operations that found nothing to change: nobody saw a change of theirs, and none is carried over. */
function changing(base: Uint8Array, log: LoggedOperation[]): LoggedOperation[] {
  const { changes } = unwrap(xlsxFormat.replay(base, log, new Set(), NAME))
  const indexes = new Set(changes.map(({ operation }) => operation.index))
  return log.filter(({ index }) => indexes.has(index))
}

/** Both orders; where the first log renamed a sheet, the second names it by its new name. */
function inEitherOrder(base: Uint8Array, draft: LoggedOperation[], other: LoggedOperation[]) {
  return [
    [other, draft],
    [draft, other],
  ].flatMap(([first, second]) => {
    const between = saved(base, first!)!
    return [saved(between, second!), saved(between, afterRenames(second!, first!))]
  })
}

/** The log as somebody would have written it who saw the sheets under the names that the earlier log gave them. */
function afterRenames(log: LoggedOperation[], earlier: LoggedOperation[]): LoggedOperation[] {
  const given = new Map<string, string>() // by the name that the log knows
  for (const { operation } of earlier) {
    if (operation.op !== 'rename_sheet') continue
    const { sheet, new_name } = operation as Operation & { sheet: string; new_name: string }
    const first = [...given].find(([, name]) => name === sheet)?.[0] ?? sheet
    given.set(first, new_name)
  }
  return log.map(entry => {
    const { operation } = entry
    const renamed = { ...entry, operation: named(operation, given) }
    if (operation.op === 'rename_sheet') given.delete(operation.sheet as string)
    return renamed
  })
}

/** Names stand in the sheet of an operation and before the `!` of a formula, where the random ones are quoted. */
function named(operation: Operation, given: ReadonlyMap<string, string>): Operation {
  const quoted = (name: string) => `'${name.replaceAll("'", "''")}'!`
  return JSON.parse(JSON.stringify(operation), (key, value) => {
    if (typeof value !== 'string') return value
    if (key === 'sheet') return given.get(value) ?? value
    if (key !== 'formula') return value
    const found = [...given].find(([name]) => value.startsWith(quoted(name)))
    return found ? quoted(found[1]) + value.slice(quoted(found[0]).length) : value
  })
}

function show(log: readonly LoggedOperation[]): string {
  return JSON.stringify(log.map(({ operation }) => operation))
}
