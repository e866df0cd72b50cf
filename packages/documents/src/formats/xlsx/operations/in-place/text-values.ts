import type { Fields } from '@filewright/protocol'
import { Refusal } from '../../../../refusal.ts'
import type { CellContent, CellData } from '../../cell/cells.ts'
import type { Editor } from '../editor.ts'

/** `de` and its like write 1.234,5. */
export function decimalComma({ op, locale }: Fields): boolean {
  if (locale === undefined) return false
  try {
    // an unknown language would be read as English
    if (Intl.NumberFormat.supportedLocalesOf(String(locale)).length === 0) throw new RangeError()
    return new Intl.NumberFormat(String(locale)).format(1.5).includes(',')
  } catch {
    throw new Refusal(
      'INVALID_ARGUMENT',
      `${op}: locale ${JSON.stringify(locale)} is not one such as "de-DE"`,
    )
  }
}

/** Texts such as `1.000`: a thousand or one, and no other number of the column says that it is one. */
export function doubtfulNumbers<
  Cell extends { readonly column: number; readonly content: CellContent },
>(cells: readonly Cell[]): ReadonlySet<Cell> {
  const columns = new Map<number, { point: boolean; comma: boolean; either: Cell[] }>()
  for (const cell of cells) {
    if (cell.content.type !== 'text') continue
    const [point, comma] = [false, true].map(own => numberOf(String(cell.content.value), own))
    const found = columns.get(cell.column) ?? { point: false, comma: false, either: [] }
    columns.set(cell.column, found)
    if (point === undefined || comma === undefined) {
      found.point ||= point !== undefined
      found.comma ||= comma !== undefined
    } else if (point !== comma) found.either.push(cell)
  }
  const doubtful = [...columns.values()].flatMap(({ point, comma, either }) =>
    either.filter(own => comma || (!point && String(own.content.value).includes('.'))),
  )
  return new Set(doubtful)
}

/** What was a percentage shows one; a cell formatted as text would show a number as text again. */
export function numberStyle(editor: Editor, style: number, percentage: number | undefined): number {
  const styles = editor.book.part.styles()
  const pattern = styles.pattern(style)
  if (pattern !== '@' && pattern !== 'General') return style
  if (percentage === undefined)
    return pattern === '@' ? (styles.derive(style, 'General') ?? style) : style
  const decimals = /\.(\d+)$/.exec(String(Number((percentage * 100).toPrecision(12))))?.[1]?.length
  return styles.derive(style, decimals ? `0.${'0'.repeat(decimals)}%` : '0%') ?? style
}

export function numberOf(text: string, comma: boolean): number | undefined {
  let own = text.replace(/[\s\u00a0\u202f']/g, '').replace(/^[€$£¥]|[€$£¥]$/g, '')
  const isNegative = /^\(.*\)$/.test(own) || own.endsWith('-')
  own = own.replace(/^\(|\)$/g, '').replace(/-$/, '')
  const isPercent = own.endsWith('%')
  if (isPercent) own = own.slice(0, -1)
  const [group, point] = comma ? ['.', ','] : [',', '.']
  const pattern = comma
    ? /^[+-]?(\d{1,3}(\.\d{3})+|\d+)(,\d+)?$/
    : /^[+-]?(\d{1,3}(,\d{3})+|\d+)(\.\d+)?(e[+-]?\d+)?$/i
  if (!pattern.test(own)) return undefined
  const value = Number(own.replaceAll(group!, '').replace(point!, '.'))
  const signed = isNegative ? -value : value
  return isPercent ? signed / 100 : signed
}

/** ISO dates, and others where the order of day and month is certain or said. */
export function dateOf(text: string, { locale }: Fields): string | undefined {
  const own = text.trim()
  if (/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?)?$/.test(own)) return own
  const match = /^(\d{1,4})[./-](\d{1,2})[./-](\d{1,4})$/.exec(own)
  if (!match) return undefined
  const [a, b, c] = [match[1]!, match[2]!, match[3]!]
  const iso = (y: string, m: string, d: string) => {
    const text = `${y.padStart(4, '20')}-${m.padStart(2, '0')}-${d.padStart(2, '0')}`
    const date = new Date(`${text}T00:00:00Z`)
    return Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== text
      ? undefined
      : text
  }
  if (a.length === 4) return iso(a, b, c)
  if (c.length !== 4) return undefined
  if (own.includes('.')) return iso(c, b, a)
  const isMonthFirst = locale === undefined ? undefined : /^en(-US)?$/i.test(String(locale))
  if (Number(a) > 12) return iso(c, b, a)
  if (Number(b) > 12) return iso(c, a, b)
  if (isMonthFirst === undefined) return a === b ? iso(c, a, b) : undefined
  return isMonthFirst ? iso(c, a, b) : iso(c, b, a)
}

export function inOrder(cells: ReadonlyMap<number, CellData>): CellData[] {
  return [...cells.values()].sort((a, b) => a.row - b.row || a.column - b.column)
}
