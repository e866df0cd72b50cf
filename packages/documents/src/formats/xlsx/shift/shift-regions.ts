import type { Box } from '@filewright/protocol'
import {
  attribute,
  decodeText,
  descendants,
  encodeAttribute,
  encodeText,
  Splices,
  type XmlElement,
} from '../../../opc/index.ts'
import { parseBox, refName } from '../cell/address.ts'
import { findReferences } from '../formula/references.ts'
import type { LineShift } from '../places/line-shift.ts'
import { shiftFormula } from '../places/rewrites.ts'
import { mapRanges, type ShiftedTree } from './shift-refs.ts'
import type { ShiftRun } from './shift-run.ts'

/**
 * A conditional format or a validation: ranges, and formulas that mean a distance from the first cell of the ranges.
 * Where its cells no longer keep that distance it is split, and each part has formulas for its own first cell.
 */
export function shiftRegion(
  tree: ShiftedTree,
  element: XmlElement,
  run: ShiftRun,
  shift: LineShift | undefined,
): 'gone' | 'done' {
  const region = readRegion(tree, element)
  if (!region) return 'done'
  const { places } = run
  const boxes = region.ranges.split(/\s+/).flatMap(own => parseBox(own) ?? [])
  if (boxes.length === 0) return 'done'
  const formulas = region.formulas.map(({ text }) => text)
  const isSimple = !shift || formulas.every(text => !isRelative(text))
  if (isSimple || isPaired(element)) {
    const after = mapRanges(places, region.ranges)
    if (after === undefined) return 'gone'
    write(tree, region, after, mapAt(run, formulas, boxes, after))
    return 'done'
  }
  const parts = split(run, shift, boxes, formulas)
  if (parts.length === 0) return 'gone'
  if (parts.length === 1) write(tree, region, parts[0]!.ranges, parts[0]!.formulas)
  else {
    const texts = parts.map(part => written(tree, region, element, part))
    tree.splices.replace(tree.offset + element.start, tree.offset + element.end, texts.join(''))
  }
  return 'done'
}

interface Region {
  readonly ranges: string
  readonly rangesAt: { readonly start: number; readonly end: number; readonly isText: boolean }
  readonly formulas: readonly {
    readonly text: string
    readonly start: number
    readonly end: number
    readonly isText: boolean
  }[]
}

const FORMULAS = ['formula', 'formula1', 'formula2', 'f']

function readRegion({ bytes }: ShiftedTree, element: XmlElement): Region | undefined {
  const own = element.attributes.find(({ name }) => name === 'sqref')
  const [inside] = descendants(element, 'sqref')
  const rangesAt = own
    ? { start: own.valueStart, end: own.valueEnd, isText: false }
    : inside && { start: inside.openEnd, end: inside.closeStart, isText: true }
  if (!rangesAt) return undefined
  const elements = FORMULAS.flatMap(local => [...descendants(element, local)]).filter(
    ({ children, isEmptyTag }) => children.length === 0 && !isEmptyTag,
  )
  const limits = [...descendants(element, 'cfvo')].flatMap(({ attributes }) => {
    const value = attributes.find(({ name }) => name === 'val')
    const isPlain = value === undefined || !Number.isNaN(Number(value.value))
    return isPlain
      ? []
      : [{ text: value.value, start: value.valueStart, end: value.valueEnd, isText: false }]
  })
  return {
    ranges: decodeText(bytes, rangesAt.start, rangesAt.end).trim(),
    rangesAt,
    formulas: [
      ...elements.map(({ openEnd, closeStart }) => ({
        text: decodeText(bytes, openEnd, closeStart),
        start: openEnd,
        end: closeStart,
        isText: true,
      })),
      ...limits,
    ],
  }
}

/** A rule with a twin in the extensions goes by an id, which must stay unique: it is not split. */
function isPaired(element: XmlElement): boolean {
  const [id] = descendants(element, 'id')
  return id !== undefined || [...descendants(element, 'cfRule')].some(own => attribute(own, 'id'))
}

function isRelative(formula: string): boolean {
  return findReferences(formula).areas.some(
    ({ fixedTop, fixedBottom, fixedLeft, fixedRight }) =>
      !fixedTop || !fixedBottom || !fixedLeft || !fixedRight,
  )
}

/** Formulas of ranges that stay together: as those of their first cell. */
function mapAt(
  run: ShiftRun,
  formulas: readonly string[],
  boxes: readonly Box[],
  after: string,
): readonly string[] {
  const from = firstCell(boxes)
  const now = firstCell(after.split(/\s+/).flatMap(own => parseBox(own) ?? []))
  const kept = run.places.box({ ...from, bottom: from.top, right: from.left })
  return formulas.map(text => {
    const mapped = run.map(text, run.places.sheet).text
    return kept ? shiftFormula(mapped, now.top - kept.top, now.left - kept.left) : mapped
  })
}

function firstCell(boxes: readonly Box[]): { readonly top: number; readonly left: number } {
  return {
    top: Math.min(...boxes.map(({ top }) => top)),
    left: Math.min(...boxes.map(({ left }) => left)),
  }
}

interface Part {
  readonly ranges: string
  readonly formulas: readonly string[]
}

interface Piece {
  readonly box: Box
  /** The formulas as they would read in A1: equal ones mean the same distance. */
  readonly key: string
}

function split(
  run: ShiftRun,
  shift: LineShift,
  boxes: readonly Box[],
  formulas: readonly string[],
): Part[] {
  const from = firstCell(boxes)
  const cuts = cutsOf(shift, from, formulas)
  const pieces = boxes.flatMap(box =>
    joined(shift, piecesOf(run, shift, box, cuts, from, formulas)),
  )
  const groups = new Map<string, Box[]>()
  for (const { box, key } of pieces) {
    const group = groups.get(key)
    if (group) group.push(box)
    else groups.set(key, [box])
  }
  return [...groups].map(([key, own]) => {
    const at = firstCell(own)
    return {
      ranges: own.map(refName).join(' '),
      formulas: (JSON.parse(key) as string[]).map(text =>
        shiftFormula(text, at.top - 1, at.left - 1),
      ),
    }
  })
}

/** The lines at which the distance to a cell that a formula names changes. */
function cutsOf(
  { axis, runs, kind }: LineShift,
  from: { readonly top: number; readonly left: number },
  formulas: readonly string[],
): number[] {
  const borders = runs.flatMap(({ at, count }) => (kind === 'insert' ? [at] : [at, at + count]))
  const cuts = new Set(borders)
  for (const formula of formulas)
    for (const area of findReferences(formula).areas) {
      const ends =
        axis === 'row'
          ? [!area.fixedTop && area.top - from.top, !area.fixedBottom && area.bottom - from.top]
          : [!area.fixedLeft && area.left - from.left, !area.fixedRight && area.right - from.left]
      for (const distance of ends)
        if (distance !== false)
          for (const border of borders) {
            cuts.add(border - distance)
            cuts.add(border - distance + 1)
          }
    }
  return [...cuts].sort((a, b) => a - b)
}

function piecesOf(
  run: ShiftRun,
  { axis }: LineShift,
  box: Box,
  cuts: readonly number[],
  from: { readonly top: number; readonly left: number },
  formulas: readonly string[],
): Piece[] {
  const [first, last] = axis === 'row' ? [box.top, box.bottom] : [box.left, box.right]
  const starts = [first, ...cuts.filter(cut => cut > first && cut <= last)]
  return starts.flatMap((start, index) => {
    const end = (starts[index + 1] ?? last + 1) - 1
    const own =
      axis === 'row' ? { ...box, top: start, bottom: end } : { ...box, left: start, right: end }
    const to = run.places.box(own)
    if (!to) return []
    const texts = formulas.map(text => {
      const here = shiftFormula(text, own.top - from.top, own.left - from.left)
      const mapped = run.map(here, run.places.sheet).text
      return shiftFormula(mapped, 1 - to.top, 1 - to.left)
    })
    return [{ box: to, key: JSON.stringify(texts) }]
  })
}

/** Pieces of one range with the same distances are one again; inserted lines belong to the piece before them. */
function joined({ axis }: LineShift, pieces: readonly Piece[]): Piece[] {
  const [low, high] = axis === 'row' ? (['top', 'bottom'] as const) : (['left', 'right'] as const)
  const found: Piece[] = []
  for (const piece of pieces) {
    const last = found.pop()
    if (!last) found.push(piece)
    else if (last.key === piece.key)
      found.push({ ...last, box: { ...last.box, [high]: piece.box[high] } })
    else found.push({ ...last, box: { ...last.box, [high]: piece.box[low] - 1 } }, piece)
  }
  return found
}

function write(
  { splices, offset }: Pick<ShiftedTree, 'splices' | 'offset'>,
  region: Region,
  ranges: string,
  formulas: readonly string[],
): void {
  const { rangesAt } = region
  if (ranges !== region.ranges)
    splices.replace(offset + rangesAt.start, offset + rangesAt.end, encodeAttribute(ranges))
  for (const [index, own] of region.formulas.entries()) {
    const text = formulas[index]!
    if (text !== own.text)
      splices.replace(
        offset + own.start,
        offset + own.end,
        own.isText ? encodeText(text) : encodeAttribute(text).replaceAll("'", '&apos;'),
      )
  }
}

function written(tree: ShiftedTree, region: Region, element: XmlElement, part: Part): string {
  const splices = new Splices()
  write({ splices, offset: -element.start }, region, part.ranges, part.formulas)
  const bytes = splices.apply(tree.bytes.slice(element.start, element.end))
  return Buffer.from(bytes).toString('utf8')
}
