import {
  type Change,
  type LoggedOperation,
  type Operation,
  type Result,
  toBytes,
  unwrap,
} from '@filewright/protocol'
import { expect } from 'vitest'
import type { Rebased } from '../../../format.ts'
import { diffWorkbooks } from '../diff.ts'
import { xlsxFormat } from '../format.ts'
import { type ForeignEdit, MARK } from './rebase-law.contract.ts'
import { logged, NAME } from './zoo.contract.ts'

const ALLOWED = { allowProtected: true, allowBreakSignature: true }
const TOLD = {
  name: NAME,
  refused: new Set<never>(),
  version: 'v',
  since: 'since',
  advice: 'Read it again.',
  isDraft: true,
}

/** The draft's log on what somebody else made of the file; undefined for a conflict. */
export function publishOn(
  base: Uint8Array,
  log: readonly LoggedOperation[],
  current: Uint8Array,
  what: string,
): Uint8Array | undefined {
  const { content } = unwrap(xlsxFormat.replay(base, log, new Set(), NAME))
  const result = xlsxFormat.rebase!({ ...TOLD, base, current, log, planned: content })
  return bytesOf(result, current, what)
}

/** What a draft made of the file taken back, after somebody else saved that; undefined for a conflict. */
export function undoOn(
  base: Uint8Array,
  published: Uint8Array,
  current: Uint8Array,
  what: string,
): Uint8Array | undefined {
  const planned = [{ from: 'inline' as const, bytes: base }]
  const result = xlsxFormat.rebase!({ ...TOLD, base: published, current, log: [], planned })
  return bytesOf(result, current, what)
}

function bytesOf(
  result: Result<Rebased>,
  current: Uint8Array,
  what: string,
): Uint8Array | undefined {
  if (result.ok) return toBytes(result.value.content, current)
  expect(result.failure.code, what).toBe('CONFLICT')
  return undefined
}

/** Every mark of the other person is still there, in no formula that lost its cells. */
export function expectNothingLost(before: Uint8Array, after: Uint8Array, what: string): void {
  const { changes } = unwrap(diffWorkbooks(before, after, NAME))
  const marks = (side: 'before' | 'after') =>
    changes
      .flatMap(change =>
        [...(JSON.stringify(change[side]) ?? '').matchAll(MARK)].map(([mark]) => mark),
      )
      .sort()
  const kept = marks('after')
  expect(
    marks('before').filter(mark => !kept.includes(mark)),
    what,
  ).toEqual([])
  const lost = changes.filter(
    change =>
      JSON.stringify(change.after).match(MARK) && JSON.stringify(change.after).includes('#REF!'),
  )
  expect(lost, what).toEqual([])
}

export function doneAll(
  bytes: Uint8Array,
  edits: readonly Pick<ForeignEdit, 'operations'>[],
  before: readonly ForeignEdit[] = [],
): Uint8Array | undefined {
  const names = new Map<string, string>()
  for (const { operations } of before) for (const each of operations) asNamed(each, names)
  const operations = edits.flatMap(edit => edit.operations.map(each => asNamed(each, names)))
  return done(bytes, operations, 'tc_other')
}

/** After a rename everybody sees the new name. */
function asNamed(operation: Operation, names: Map<string, string>): Operation {
  const text = [...names].reduce(
    (own, [from, to]) => own.replaceAll(`"${from}"`, `"${to}"`).replaceAll(`${from}!`, `${to}!`),
    JSON.stringify(operation),
  )
  if (operation.op === 'rename_sheet')
    names.set(String(operation.sheet), String(operation.new_name))
  return JSON.parse(text) as Operation
}

/** Undefined where one of them is refused. */
export function done(
  bytes: Uint8Array,
  operations: readonly Operation[],
  call: string,
): Uint8Array | undefined {
  const document = unwrap(xlsxFormat.open(bytes, NAME))
  if (!document.apply(logged(operations, call), ALLOWED).ok) return undefined
  return toBytes(unwrap(document.content()), bytes)
}

export function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  return differences(one, other).length === 0
}

export function differences(
  before: Uint8Array,
  after: Uint8Array,
  counts: (change: Change) => boolean = () => true,
): unknown[] {
  const { changes } = unwrap(diffWorkbooks(before, after, NAME))
  return changes.filter(counts).map(({ place, before: old, after: now }) => [place, old, now])
}
