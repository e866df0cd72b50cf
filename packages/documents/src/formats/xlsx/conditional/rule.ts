import type { Box } from '@filewright/protocol'
import {
  attribute,
  child,
  children,
  descendants,
  textOf,
  type XmlDocument,
  type XmlElement,
} from '../../../opc/index.ts'
import { aroundOf } from '../book/around.ts'
import type { Book } from '../book/book.ts'
import type { Sheet } from '../book/sheet.ts'
import { isTrue } from '../book/workbook-part.ts'
import { parseBox } from '../cell/address.ts'
import { type Color, readColor } from '../looks/color.ts'

/** One rule of a conditional format. */
export interface CellRule {
  /** Where it applies: `A1:B9 D1:D9`. */
  readonly ref: string
  readonly boxes: readonly Box[]
  readonly type: string
  /** Lower goes first. */
  readonly priority: number
  /** No later rule counts where it holds. */
  readonly isLast: boolean
  readonly operator?: string
  readonly formulas: readonly string[]
  readonly text?: string
  /** Of the looks for conditional formats in the styles. */
  readonly difference?: number
  readonly rank?: number
  readonly isPercent?: boolean
  readonly isBottom?: boolean
  readonly isAbove?: boolean
  readonly isEqual?: boolean
  readonly deviations?: number
  readonly period?: string
  readonly scale?: readonly ScaleStop[]
  readonly bar?: Bar
  readonly icons?: Icons
  /** Its id in an extension that says more about it. */
  readonly extension?: string
}

/** A threshold: the least, the greatest, a number, a percentage, a percentile or a formula. */
export interface Threshold {
  readonly type: string
  readonly value: string
  /** The value itself belongs below it. */
  readonly isAfter?: boolean
}

export interface ScaleStop extends Threshold {
  readonly color: Color | undefined
}

export interface Bar {
  readonly least: Threshold
  readonly most: Threshold
  readonly color: Color | undefined
  readonly showsValue: boolean
}

export interface Icons {
  readonly set: string
  readonly stops: readonly Threshold[]
  readonly isReversed: boolean
  readonly showsValue: boolean
}

/** The rules of a sheet, the one that counts first in front. */
export function rulesOf(book: Book, sheet: Sheet): readonly CellRule[] {
  return aroundOf(sheet, 'conditionalFormatting')
    .flatMap(document => rulesIn(document, formula => book.rewriteFormula(formula, sheet)))
    .sort((a, b) => a.priority - b.priority)
}

/** In the order of the file. */
export function rulesIn(document: XmlDocument, rewrite: (formula: string) => string): CellRule[] {
  const ref = attribute(document.root, 'sqref') ?? ''
  const boxes = boxesOf(ref)
  return children(document.root, 'cfRule').map(own => readRule(document, own, ref, boxes, rewrite))
}

export function boxesOf(ref: string): Box[] {
  return ref.split(/\s+/).flatMap(part => parseBox(part) ?? [])
}

function readRule(
  document: XmlDocument,
  own: XmlElement,
  ref: string,
  boxes: readonly Box[],
  rewrite: (formula: string) => string,
): CellRule {
  const wordOf = (name: string) => attribute(own, name)
  const numberOf = (name: string) => {
    const value = Number(wordOf(name) ?? Number.NaN)
    return Number.isFinite(value) ? value : undefined
  }
  const difference = numberOf('dxfId')
  const scale = child(own, 'colorScale')
  const bar = child(own, 'dataBar')
  const icons = child(own, 'iconSet')
  return {
    ref,
    boxes,
    type: wordOf('type') ?? 'expression',
    priority: numberOf('priority') ?? Number.MAX_SAFE_INTEGER,
    isLast: isTrue(wordOf('stopIfTrue')),
    formulas: children(own, 'formula').map(formula => rewrite(textOf(document, formula))),
    ...optional('operator', wordOf('operator')),
    ...optional('text', wordOf('text')),
    ...optional('difference', difference),
    ...optional('rank', numberOf('rank')),
    ...(isTrue(wordOf('percent')) && { isPercent: true }),
    ...(isTrue(wordOf('bottom')) && { isBottom: true }),
    ...(wordOf('type') === 'aboveAverage' && {
      isAbove: wordOf('aboveAverage') === undefined || isTrue(wordOf('aboveAverage')),
      isEqual: isTrue(wordOf('equalAverage')),
    }),
    ...optional('deviations', numberOf('stdDev')),
    ...optional('period', wordOf('timePeriod')),
    ...(scale && { scale: readScale(scale) }),
    ...(bar && { bar: readBar(bar) }),
    ...(icons && { icons: readIcons(icons) }),
    ...optional('extension', extensionOf(document, own)),
  }
}

function extensionOf(document: XmlDocument, own: XmlElement): string | undefined {
  const ids = [...descendants(own, 'id')].map(id => textOf(document, id))
  return ids[0]
}

function optional<Name extends string, Value>(name: Name, value: Value | undefined) {
  return value === undefined ? {} : ({ [name]: value } as { [Key in Name]: Value })
}

function thresholdsOf(own: XmlElement): Threshold[] {
  return children(own, 'cfvo').map(each => ({
    type: attribute(each, 'type') ?? 'num',
    value: attribute(each, 'val') ?? '',
    ...(attribute(each, 'gte') === '0' && { isAfter: true }),
  }))
}

function readScale(own: XmlElement): ScaleStop[] {
  const colors = children(own, 'color').map(readColor)
  return thresholdsOf(own).map((stop, index) => ({ ...stop, color: colors[index] }))
}

function readBar(own: XmlElement): Bar {
  const [least = { type: 'min', value: '' }, most = { type: 'max', value: '' }] = thresholdsOf(own)
  const color = readColor(child(own, 'color'))
  return { least, most, color, showsValue: attribute(own, 'showValue') !== '0' }
}

function readIcons(own: XmlElement): Icons {
  return {
    set: attribute(own, 'iconSet') ?? '3TrafficLights1',
    stops: thresholdsOf(own),
    isReversed: isTrue(attribute(own, 'reverse')),
    showsValue: attribute(own, 'showValue') !== '0',
  }
}
