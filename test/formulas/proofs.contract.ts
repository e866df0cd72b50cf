import { readFileSync } from 'node:fs'
import type { CellValue, Evaluated } from '@filewright/documents'
import { cellName } from '../../packages/documents/src/formats/xlsx/cell/address.ts'
import { storedFormula } from '../../packages/documents/src/formats/xlsx/formula/stored-formula.ts'
import { same } from '../../packages/documents/src/formats/xlsx/recompute/accept-recompute.ts'
import { callsIn } from '../../packages/documents/src/formats/xlsx/recompute/calls.ts'
import { formulaTree } from '../../packages/documents/src/formats/xlsx/recompute/plain-formula.ts'
import { zooBook } from '../../packages/documents/src/formats/xlsx/testing/zoo.contract.ts'
import { createEvaluator } from '../../packages/engine/src/formulas/evaluator.ts'

/** A formula over the cells below, with the result that LibreOffice gives or that was worked out by hand. */
export interface Proof {
  readonly formula: string
  readonly expected: CellValue
}

const NA = { error: '#N/A' }
const DIV = { error: '#DIV/0!' }

/** The columns of the sheet, from its first row; null is an empty cell. */
const COLUMNS: Readonly<Record<string, readonly (CellValue | null)[]>> = {
  A: [1, 2, 3, 4, 5, -6.5, 7.25, 0, 100, 1000.125],
  B: ['apple', 'Banana', 'cherry', 'apple', 'date', 'elder', 'fig', 'grape', 'apple pie', 'kiwi'],
  C: [5, 'x', true, null, 12, '7', false, 3.5, null, -2],
  D: [45000, 45031, 45061, 45092, 45122, 45153, 45184, 45214, 45245, 45275],
  E: [1, 2, NA, 4, DIV, 6, 7, 8, 9, 10],
  F: [10, 20, 30, 40, 50],
  G: ['ten', 'twenty', 'thirty', 'forty', 'fifty'],
  H: ['a', 'b', 'a', 'c', 'b', 'a'],
  I: [10, 20, 30, 40, 50, 60],
  J: ['x', 'y', 'x', 'x', 'y', 'y'],
  K: [-1000, 200, 300, 400, 500, 100],
  L: [45000, 45100, 45250, 45400, 45600, 45700],
  M: [1, 4, 7],
  N: [2, 5, 8],
  O: [3, 6, 9],
  P: [true, false, true, true],
  Q: ['Name', 'Ann', 'Bob', 'Cy', 'Di'],
  R: ['Age', 30, 40, 50, 60],
  S: ['Pay', 100, 200, 300, 400],
  U: ['Age', '>35'],
  V: ['Name', 'Bob'],
  W: ['', 0, -2.5, 59, 1 / 3, 1_000_000.1, '7', 'text', 45000.5],
}
const OTHER: Readonly<Record<string, readonly CellValue[]>> = {
  A: [7, 8, 9],
  B: ['k1', 'k2', 'k3'],
  C: [70, 80, 90],
}
const HOME_COLUMN = 26

const here = new URL('.', import.meta.url)

/** The formulas to prove, with the result by hand where a line has one after `⇒`. */
export function readFormulas(
  file = 'formulas.txt',
): { readonly formula: string; readonly byHand?: CellValue }[] {
  return readFileSync(new URL(file, here), 'utf8')
    .split('\n')
    .filter(line => line !== '' && !line.startsWith('#'))
    .map(line => {
      const [formula, byHand] = line.split(' ⇒ ')
      return byHand === undefined
        ? { formula: formula! }
        : { formula: formula!, byHand: JSON.parse(byHand) as CellValue }
    })
}

export const PROOFS_FILE = new URL('proofs.json', here)

export function readProofs(): Proof[] {
  return JSON.parse(readFileSync(PROOFS_FILE, 'utf8')) as Proof[]
}

/** A workbook with the cells, and a formula in each row of column Z. */
export function proofBook(formulas: readonly string[]): Uint8Array {
  const length = Math.max(formulas.length, 10)
  const rows = Array.from({ length }, (_, index) => {
    const cells = cellsOf(COLUMNS, index)
    const formula = formulas[index]
    const own =
      formula === undefined
        ? ''
        : `<c r="${cellName(index + 1, HOME_COLUMN)}"><f>${escaped(storedFormula(formula))}</f></c>`
    return `<row r="${index + 1}">${cells}${own}</row>`
  })
  const others = [0, 1, 2].map(index => `<row r="${index + 1}">${cellsOf(OTHER, index)}</row>`)
  return zooBook({ sheets: { Proofs: rows.join(''), Other: others.join('') } })
}

/** The cells of one row. */
export function cellsOf(
  columns: Readonly<Record<string, readonly (CellValue | null)[]>>,
  index: number,
): string {
  return Object.entries(columns)
    .map(([name, values]) => cellXml(`${name}${index + 1}`, values[index] ?? null))
    .join('')
}

function cellXml(name: string, value: CellValue | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return `<c r="${name}"><v>${value}</v></c>`
  if (typeof value === 'boolean') return `<c r="${name}" t="b"><v>${value ? 1 : 0}</v></c>`
  if (typeof value === 'object') return `<c r="${name}" t="e"><v>${value.error}</v></c>`
  if (value === '') return `<c r="${name}" t="str"><f>""</f><v></v></c>`
  return `<c r="${name}" t="inlineStr"><is><t>${escaped(value)}</t></is></c>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** What the evaluator gives for each formula. */
export function evaluateAll(formulas: readonly string[]): readonly (CellValue | null)[] {
  return evaluate(formulas).values
}

/** With the kinds of values that functions were given. */
export function evaluate(
  formulas: readonly string[],
  watched: readonly string[] = [],
): Exclude<Evaluated, { problem: unknown }> {
  const evaluated = createEvaluator({ timeMs: 300_000 })({
    sheets: [sheetOf(COLUMNS), sheetOf(OTHER)],
    texts: formulas.map((formula, index) => ({
      text: formula.replaceAll('Other!', 'S1!'),
      row: index + 1,
      column: HOME_COLUMN,
    })),
    cells: formulas.flatMap((_, index) => [0, index + 1, HOME_COLUMN, index]),
    watched,
  })
  if ('problem' in evaluated) throw new Error(`Nothing was computed: ${evaluated.problem}`)
  return evaluated
}

function sheetOf(columns: Readonly<Record<string, readonly (CellValue | null)[]>>) {
  const places: number[] = []
  const values: CellValue[] = []
  for (const [name, list] of Object.entries(columns))
    for (const [index, value] of list.entries())
      if (value !== null) {
        places.push(index + 1, name.charCodeAt(0) - 64)
        values.push(value)
      }
  return { rows: 100, columns: 30, places, values }
}

/** Functions with the shapes of arguments that only right results have, and those that some wrong one has. */
export function provenCalls(
  proofs: readonly Proof[],
  values: readonly (CellValue | null)[],
): { proven: Record<string, string[]>; wrong: Proof[] } {
  const right = new Set<string>()
  const failed = new Set<string>()
  const wrong: Proof[] = []
  for (const [index, proof] of proofs.entries()) {
    const value = values[index] ?? null
    const isRight = value !== null && same(value, proof.expected)
    if (!isRight) wrong.push(proof)
    const calls = callsIn(formulaTree(proof.formula))
    // an operator or function around a wrong one is not to blame
    const blamed = isRight ? calls : calls.slice(-1)
    for (const { name, shape } of blamed) (isRight ? right : failed).add(`${name} ${shape}`)
  }
  const proven: Record<string, string[]> = {}
  for (const call of [...right].filter(own => !failed.has(own)).sort()) {
    const at = call.indexOf(' ')
    const name = call.slice(0, at)
    proven[name] = [...(proven[name] ?? []), call.slice(at + 1)]
  }
  return { proven, wrong }
}
