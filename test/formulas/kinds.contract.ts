import type { CellValue } from '@filewright/documents'
import { cellKey } from '../../packages/documents/src/formats/xlsx/cell/address.ts'
import { same } from '../../packages/documents/src/formats/xlsx/recompute/accept-recompute.ts'
import { variantsOf } from '../../packages/documents/src/formats/xlsx/testing/formula-variants.contract.ts'
import { recalculate, valuesOf } from './libreoffice.contract.ts'
import { evaluate, proofBook, readFormulas, readProofs } from './proofs.contract.ts'

/** Cells that hold what a proven formula was not proven with: an empty text, zero, a negative number, an old day … */
const OTHERS = ['W1', 'W2', 'W3', 'W4', 'W5', 'W6', 'W7', 'W8', 'W9', 'C4']
const HOME_COLUMN = 26

interface Variant {
  readonly text: string
  /** The position of the proof that it was made from. */
  readonly proof: number
}

/** Every proven formula with each of its single values replaced by each of those cells. */
function variants(formulas: readonly string[]): Variant[] {
  const found = new Map<string, Variant>()
  for (const [proof, formula] of formulas.entries())
    for (const text of variantsOf(formula, OTHERS))
      if (!found.has(text)) found.set(text, { text, proof })
  return [...found.values()]
}

/** What functions are given where their results are not LibreOffice's, and in no proof: `EOMONTH 0 blank`. */
export function doubtfulKinds(): { doubtful: string[]; count: number } {
  const proofs = readProofs()
  const formulas = proofs.map(({ formula }) => formula)
  const byHand = new Set(
    readFormulas().flatMap(own => (own.byHand === undefined ? [] : own.formula)),
  )
  // where LibreOffice differs from Excel, it says nothing about variants either
  const made = variants(formulas).filter(({ proof }) => !byHand.has(formulas[proof]!))
  const texts = made.map(({ text }) => text)
  const [book] = recalculate([proofBook(texts)])
  const theirs = valuesOf(book!).get('Proofs')!
  const ours = evaluate(texts, ['*'])
  const proven = evaluate(formulas, ['*'])
  const wrong: string[][] = []
  for (const [index, { proof }] of made.entries()) {
    const value = ours.values[index] ?? null
    const other = theirs.get(cellKey(index + 1, HOME_COLUMN)) ?? ''
    if (value === null || isRight(value, other)) continue
    const known = new Set(proven.kinds?.[proof])
    const fresh = (ours.kinds?.[index] ?? []).filter(kind => !known.has(kind))
    wrong.push(fresh.filter(kind => !ARITHMETIC.test(kind)))
  }
  const right = new Set<string>()
  for (const [index, { expected }] of proofs.entries()) {
    const value = proven.values[index] ?? null
    if (value !== null && same(value, expected))
      for (const kind of proven.kinds?.[index] ?? []) right.add(kind)
  }
  const doubtful = blamed(wrong).filter(kind => !right.has(kind))
  return { doubtful: doubtful.sort(), count: made.length }
}

/** Numbers are added alike everywhere; what is wrong then is the function around it. */
const ARITHMETIC =
  /^(PLUS|MINUS|MULTIPLY|DIVIDED|COMPARE|CONCATENATE) \d (blank|zero|negative|small|number|fraction|decimal|text)$/

/** A result that is wrong for one new kind shows that kind to be doubtful; where there are several, it is any of them. */
function blamed(wrong: readonly (readonly string[])[]): string[] {
  const found = new Set(wrong.flatMap(fresh => (fresh.length === 1 ? fresh : [])))
  for (const fresh of wrong)
    if (!fresh.some(kind => found.has(kind))) for (const kind of fresh) found.add(kind)
  return [...found]
}

/** LibreOffice writes most errors as `#VALUE!`, and truth values as numbers. */
function isRight(ours: CellValue, theirs: CellValue): boolean {
  if (typeof ours === 'boolean') return theirs === ours || theirs === (ours ? 1 : 0)
  if (typeof ours === 'object' && typeof theirs === 'object')
    return ours.error === theirs.error || theirs.error === '#VALUE!'
  if (typeof ours === 'number' && typeof theirs === 'number')
    return Math.abs(ours - theirs) <= 1e-9 * Math.max(Math.abs(ours), Math.abs(theirs))
  return same(ours, theirs)
}
