import { around, type PageBox } from '../page/geometry.ts'
import type { PageTable } from './page-table.ts'

/** The tables of one page, and where its text begins and ends. */
export interface TabledPage {
  /** Counted from 1. */
  readonly page: number
  readonly tables: readonly PageTable[]
  /** Nothing but a running head stands above the first table, nothing but a foot below the last. */
  readonly startsWithTable: boolean
  readonly endsWithTable: boolean
}

interface Shown {
  readonly lines: readonly { readonly text: string; readonly box: PageBox }[]
  readonly tables: readonly PageTable[]
}

const MARGIN = 0.1 // of the page's height: head and foot

export function toTabled(page: number, { lines, tables }: Shown, height: number): TabledPage {
  const ofTables = new Set(tables.map(({ box }) => box))
  const body = lines.filter(
    ({ text, box }) =>
      text !== '' &&
      !ofTables.has(box) &&
      box.bottom > MARGIN * height &&
      box.top < (1 - MARGIN) * height,
  )
  const whole = tables.length > 0 ? around(tables.map(({ box }) => box)) : undefined
  return {
    page,
    tables,
    startsWithTable: whole !== undefined && body.every(({ box }) => box.top >= whole.top),
    endsWithTable: whole !== undefined && body.every(({ box }) => box.bottom <= whole.bottom),
  }
}

const NEAR = 6 // points

/** Whether the last table of a page goes on as the first of the next one. */
export function goesOn(before: TabledPage | undefined, after: TabledPage | undefined): boolean {
  if (!before || !after || after.page !== before.page + 1) return false
  if (!before.endsWithTable || !after.startsWithTable) return false
  const [last, first] = [before.tables.at(-1)!, after.tables[0]!]
  const isNear = (edge: 'columns' | 'ends', index: number) =>
    Math.abs(last[edge][index]! - first[edge][index]!) < NEAR
  return (
    last.columns.length === first.columns.length &&
    // Names may begin where their column does, and numbers end where it does.
    last.columns.every((_, index) => isNear('columns', index) || isNear('ends', index))
  )
}
