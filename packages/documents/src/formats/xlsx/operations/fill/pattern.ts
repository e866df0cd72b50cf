import type { CellContent } from '../../cell/cells.ts'
import { dateOfSerial, serialOfDate } from '../../cell/cells.ts'
import { dateAfter } from './series.ts'
import { indexIn, likeWord, listsWith, type WordList } from './words.ts'

/** What comes at a place of a pattern, from 0 for its first cell; and the pattern in words. */
export interface Pattern {
  readonly at: (index: number) => CellContent
  readonly words: string
}

export interface PatternCell {
  readonly content: CellContent
  readonly isDate: boolean
}

interface Clues {
  /** How many cells there will be. */
  readonly length: number
  readonly is1904: boolean
  readonly locale: string | undefined
}

/** How one or two cells go on; a string says why nothing tells. */
export function patternOf(cells: readonly PatternCell[], clues: Clues): Pattern | string {
  const [first, second] = cells
  if (!first) return 'its first cell is empty'
  if (second && first.content.type !== second.content.type)
    return `its first cells are a ${first.content.type} and a ${second.content.type}`
  if (first.content.type === 'number') return numbers(first, second, clues)
  if (first.content.type !== 'text') return `its first cell is ${String(first.content.value)}`
  const texts = cells.map(({ content }) => String(content.value))
  if (texts.some(own => /^\d{1,4}([./-])\d{1,2}\1\d{1,4}$/.test(own.trim())))
    return `${JSON.stringify(texts[0])} is a date as text; make dates of them first (transform_cells, steps ["date"])`
  return (
    quarters(texts) ??
    named(texts, clues) ??
    numbered(texts) ??
    `${texts.map(own => JSON.stringify(own)).join(', ')} ${texts.length === 1 ? 'is' : 'are'} no series of numbers, days, months or quarters`
  )
}

const number = (value: number): CellContent => ({
  type: 'number',
  value: Number(value.toPrecision(15)),
})
const text = (value: string): CellContent => ({ type: 'text', value })

function numbers(
  first: PatternCell,
  second: PatternCell | undefined,
  { is1904 }: Clues,
): Pattern | string {
  const from = Number(first.content.value)
  const to = second && Number(second.content.value)
  if (first.isDate && (!second || second.isDate)) return dates(from, to ?? from + 1, is1904)
  if (to === undefined)
    return 'one number is no pattern; fill in its second one, or send series {"by": 1}'
  return { at: index => number(from + (to - from) * index), words: `by ${number(to - from).value}` }
}

/** By days; by months where both are the same day of one, or the last. */
function dates(from: number, to: number, is1904: boolean): Pattern {
  const [start, next] = [from, to].map(own => dateOfSerial(own, is1904)?.slice(0, 10))
  const months = start && next ? monthsBetween(start, next) : 0
  const areEnds = start && next ? isMonthEnd(start) && isMonthEnd(next) : false
  const isSameTime = from % 1 === to % 1
  const isByMonth = months !== 0 && isSameTime && (areEnds || start!.slice(8) === next!.slice(8))
  if (!isByMonth) return { at: index => number(from + (to - from) * index), words: 'by days' }
  const day = (index: number) => {
    if (!areEnds) return dateAfter(start!, months * index, 'month')
    const firstOfMonth = dateAfter(`${start!.slice(0, 8)}01`, months * index + 1, 'month')
    return dateAfter(firstOfMonth, -1, 'day')
  }
  return {
    at: index => number(serialOfDate(day(index), is1904)! + (from % 1)),
    words: areEnds ? 'by ends of months' : 'by months',
  }
}

function monthsBetween(from: string, to: string): number {
  const count = (own: string) => Number(own.slice(0, 4)) * 12 + Number(own.slice(5, 7))
  return count(to) - count(from)
}

function isMonthEnd(date: string): boolean {
  return dateAfter(date, 1, 'day').slice(8) === '01'
}

/** `Q4 2025`, `2025-Q4`, `Quartal 4`, with their years. */
function quarters(texts: readonly string[]): Pattern | undefined {
  const parsed = texts.map(own => {
    const first = /^(\d{4})(\D*Q)([1-4])$/i.exec(own)
    if (first)
      return {
        ...{ start: '', year: first[1], rest: first[2]!, isYearFirst: true },
        quarter: Number(first[3]),
      }
    const last = /^(.*?\b(?:Q|Quarter |Quartal ))([1-4])(\D*)(\d{4})?$/i.exec(own)
    if (!last) return undefined
    const [, start = '', quarter, rest = '', year] = last
    return { start, quarter: Number(quarter), rest, year, isYearFirst: false }
  })
  const [one, two = one] = parsed
  if (!one || !two || one.start !== two.start || one.rest !== two.rest) return undefined
  if ((one.year === undefined) !== (two.year === undefined)) return undefined
  const count = ({ quarter, year = '0' }: typeof one) => Number(year) * 4 + quarter - 1
  const by = texts.length === 1 ? 1 : count(two) - count(one)
  return {
    at: index => {
      const own = count(one) + by * index
      const quarter = (((own % 4) + 4) % 4) + 1
      const year = one.year === undefined ? '' : String(Math.floor(own / 4))
      if (one.isYearFirst) return text(`${year}${one.rest}${quarter}`)
      return text(`${one.start}${quarter}${one.rest}${year}`)
    },
    words: 'by quarters',
  }
}

/** Names of days and months, also with a year: `Dec 2025` → `Jan 2026`. */
function named(texts: readonly string[], { locale, length }: Clues): Pattern | string | undefined {
  const parsed = texts.map(own => /^(\p{L}+\.?)(?:(\D+)(\d{4}))?$/u.exec(own))
  const [one, two = one] = parsed
  if (!one || !two || one[2] !== two[2]) return undefined
  const lists = listsWith([one[1]!, two[1]!], locale).filter(
    ({ kind }) => one[3] === undefined || kind === 'months',
  )
  const [list] = lists
  if (!list) return undefined
  // Jan, Feb go on as Mar and as Mär
  const asIn = (own: WordList) => namesIn(own, one, two, texts.length === 1)
  const others = lists.filter(own => !isSame(asIn(own), asIn(list), length))
  if (others.length > 0 && list.language !== 'en')
    return `${JSON.stringify(texts[0])} is a word of several languages (${[list, ...others].map(own => own.language).join(', ')}); send locale, such as ${JSON.stringify(list.language)}`
  return { at: asIn(list), words: `by ${list.kind} (${list.language})` }
}

function isSame(one: Pattern['at'], other: Pattern['at'], length: number): boolean {
  const indexes = Array.from({ length: Math.min(length, 12) }, (_, index) => index)
  return indexes.every(index => one(index).value === other(index).value)
}

function namesIn(
  list: WordList,
  one: RegExpExecArray,
  two: RegExpExecArray,
  isAlone: boolean,
): Pattern['at'] {
  const count = list.words.length
  const place = (own: RegExpExecArray) => Number(own[3] ?? 0) * count + indexIn(list, own[1]!)
  const apart = place(two) - place(one)
  const by = isAlone ? 1 : one[3] === undefined ? (apart + count) % count : apart
  return index => {
    const own = place(one) + by * index
    const word = likeWord(list.words[((own % count) + count) % count]!, one[1]!)
    return text(one[3] === undefined ? word : `${word}${one[2]}${Math.floor(own / count)}`)
  }
}

/** `Item 1`, `A-007`: the last number goes on. */
function numbered(texts: readonly string[]): Pattern | undefined {
  const parsed = texts.map(own => /^(.*?)(\d{1,15})(\D*)$/s.exec(own))
  const [one, two = one] = parsed
  if (!one || !two || one[1] !== two[1] || one[3] !== two[3]) return undefined
  const by = texts.length === 1 ? 1 : Number(two[2]) - Number(one[2])
  const digits = one[2]!.startsWith('0') ? one[2]!.length : 1
  return {
    at: index => {
      const own = Number(one[2]) + by * index
      return text(
        `${one[1]}${own < 0 ? '-' : ''}${String(Math.abs(own)).padStart(digits, '0')}${one[3]}`,
      )
    },
    words: `by ${by}`,
  }
}
