import { parse, tokenize } from '@borgar/fx/xlsx'
import type { Box } from '@filewright/protocol'
import { MAX_COLUMN, MAX_ROW, parseBox, parseCell } from '../cell/address.ts'

/** A cell or an area of a sheet, by its id. */
export interface FoldedArea extends Box {
  readonly sheet: number
}

/** What a formula's text can be worked out with: the file as it is. */
export interface FoldPlace {
  readonly sheet: number
  readonly row: number
  readonly column: number
  sheetNamed(name: string): number | undefined
  valueAt(sheet: number, row: number, column: number): string | number | undefined
}

/** A node of the parser's tree; only the fields used here. */
interface Node {
  readonly type: string
  readonly value?: unknown
  readonly operator?: string
  readonly callee?: { readonly name?: string }
  readonly arguments?: readonly (Node | null | undefined)[]
}

class Unknown extends Error {}

/**
 * The cells that the INDIRECT and OFFSET calls of a formula mean, with those that say so: `INDIRECT("Q"&B1)` means Q5 as
 * long as B1 holds 5. Undefined where that needs more than cells, texts and sums.
 */
export function foldDynamic(formula: string, place: FoldPlace): readonly FoldedArea[] | undefined {
  try {
    const fold = new Fold(place)
    fold.visit(parse(tokenize(formula, { mergeRefs: true })) as unknown as Node)
    return fold.areas
  } catch {
    return undefined // a formula that cannot be read, or a reference that is not known yet
  }
}

class Fold {
  readonly areas: FoldedArea[] = []
  readonly #place: FoldPlace

  constructor(place: FoldPlace) {
    this.#place = place
  }

  /** Finds the calls; everything else the formula reads is in its text. */
  visit(node: Node | null | undefined): void {
    if (!node) return
    const name = nameOf(node)
    if (name === 'INDIRECT') this.areas.push(this.#indirect(node))
    else if (name === 'OFFSET') this.areas.push(this.#offset(node))
    else if (name === 'CELL') this.#cellFacts(node)
    else if (OTHERS.has(name)) throw new Unknown()
    else if (node.type === 'BinaryExpression' && node.operator === ':') throw new Unknown()
    else if (node.type === 'LambdaExpression' || node.type === 'LetExpression') throw new Unknown()
    else for (const own of node.arguments ?? []) this.visit(own)
  }

  /** The cell that it is about is in the formula's text; without one it is the cell that was edited last. */
  #cellFacts({ arguments: [type, about] = [] }: Node): void {
    if (about?.type !== 'ReferenceIdentifier') throw new Unknown()
    if (!OF_CONTENT.has(String(this.#value(type)).toLowerCase())) throw new Unknown()
  }

  #indirect({ arguments: [text, style] = [] }: Node): FoldedArea {
    if (style && !(style.type === 'Literal' && style.value === true)) throw new Unknown()
    return this.#areaOf(String(this.#value(text)))
  }

  #offset({ arguments: given = [] }: Node): FoldedArea {
    const [from] = given
    if (from?.type !== 'ReferenceIdentifier') throw new Unknown()
    const area = this.#areaOf(String(from.value))
    const number = (index: number, otherwise: number) => {
      const own = given[index]
      if (!own) return otherwise
      const value = Math.trunc(Number(this.#value(own)))
      if (!Number.isFinite(value)) throw new Unknown()
      return value
    }
    const top = area.top + number(1, 0)
    const left = area.left + number(2, 0)
    const height = number(3, area.bottom - area.top + 1)
    const width = number(4, area.right - area.left + 1)
    const box = { sheet: area.sheet, top, left, bottom: top + height - 1, right: left + width - 1 }
    if (height < 1 || width < 1 || top < 1 || left < 1) throw new Unknown()
    if (box.bottom > MAX_ROW || box.right > MAX_COLUMN) throw new Unknown()
    return box
  }

  #areaOf(text: string): FoldedArea {
    const match = /^(?:(?:'((?:[^']|'')+)'|([^'!:]+))!)?([^!]+)$/.exec(text.trim())
    const name = match?.[1]?.replaceAll("''", "'") ?? match?.[2]
    const sheet = name === undefined ? this.#place.sheet : this.#place.sheetNamed(name)
    const box = match && parseBox(match[3]!.replaceAll('$', ''))
    if (!box || sheet === undefined) throw new Unknown()
    return { sheet, ...box }
  }

  /** One value, from the file where it is a cell's. */
  #value(node: Node | null | undefined): string | number {
    if (!node) throw new Unknown()
    if (node.type === 'Literal') {
      if (typeof node.value === 'string' || typeof node.value === 'number') return node.value
      throw new Unknown()
    }
    if (node.type === 'ReferenceIdentifier') return this.#cell(String(node.value))
    const name = nameOf(node)
    const given = node.arguments ?? []
    if (name === 'ROW' || name === 'COLUMN') {
      const { row, column } = this.#lineOf(given[0])
      return name === 'ROW' ? row : column
    }
    if (node.type === 'UnaryExpression' && node.operator === '-') return -this.#number(given[0])
    if (node.type !== 'BinaryExpression') throw new Unknown()
    const [a, b] = given
    if (node.operator === '&') return `${this.#value(a)}${this.#value(b)}`
    if (node.operator === '+') return this.#number(a) + this.#number(b)
    if (node.operator === '-') return this.#number(a) - this.#number(b)
    if (node.operator === '*') return this.#number(a) * this.#number(b)
    throw new Unknown()
  }

  /** The place of a reference, whatever the cell holds. */
  #lineOf(node: Node | null | undefined): { readonly row: number; readonly column: number } {
    const { row, column } = this.#place
    if (!node) return { row, column }
    if (node.type !== 'ReferenceIdentifier') throw new Unknown()
    const text = String(node.value)
    if (!text.includes('[')) {
      const { top, left } = this.#areaOf(text)
      return { row: top, column: left }
    }
    if (!/@|#this row/i.test(text)) throw new Unknown()
    return { row, column: Number.NaN }
  }

  #number(node: Node | null | undefined): number {
    const value = this.#value(node)
    if (typeof value !== 'number' || Number.isNaN(value)) throw new Unknown()
    return value
  }

  #cell(text: string): string | number {
    const area = this.#areaOf(text)
    const at = parseCell(text.slice(text.lastIndexOf('!') + 1))
    const value = at && this.#place.valueAt(area.sheet, at.row, at.column)
    if (value === undefined) throw new Unknown()
    this.areas.push(area)
    return value
  }
}

const OTHERS = new Set(['EVALUATE', 'CALL', 'REGISTER.ID'])

/** What CELL tells about the content and the place of a cell; the rest is about formats. */
const OF_CONTENT = new Set(['address', 'col', 'contents', 'filename', 'row', 'type'])

function nameOf({ type, callee }: Node): string {
  return type === 'CallExpression' ? String(callee?.name ?? '').toUpperCase() : ''
}
