import type { AmountColumn, DateColumn, LoadedTable, MixedColumn } from '@filewright/documents'
import { counted } from '@filewright/protocol'

const MOST_NAMED = 5 // columns of one table

/** What may make a total differ from what a reader expects, in the columns that the query names. */
export function describeTables(tables: readonly LoadedTable[], sql: string): string[] {
  return tables.flatMap(({ name, mixed, amounts, dates, staleRows, warning }) => [
    ...(warning === undefined ? [] : [`${name}: ${warning}`]),
    ...dates
      .filter(({ column }) => usesBare(sql, column, 'isodate'))
      .slice(0, MOST_NAMED)
      .map(column => describeDates(name, column)),
    ...amounts
      .filter(({ column }) => usesBare(sql, column, 'number'))
      .slice(0, MOST_NAMED)
      .map(column => describeAmounts(name, column)),
    ...describeMixed(
      name,
      mixed.filter(({ column }) => usesBare(sql, column, 'typeof')),
    ),
    ...(staleRows > 0
      ? [
          `${counted(staleRows, 'row')} of ${name} ${staleRows === 1 ? 'has' : 'have'} a formula whose result is not known yet; it is NULL here.`,
        ]
      : []),
  ])
}

/** A column that a query does not name is right as it is; so is one that the query handles with that function. */
function usesBare(sql: string, column: string, handler: string): boolean {
  const words = sql.toLowerCase()
  const name = column.toLowerCase().replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const isNamed = new RegExp(`(?<![\\p{L}\\p{N}_])${name}(?![\\p{L}\\p{N}_])`, 'u').test(words)
  return isNamed && !words.includes(`${handler}(`)
}

/** All columns of a table in one sentence. */
function describeMixed(table: string, mixed: readonly MixedColumn[]): string[] {
  const [first] = mixed
  if (!first) return []
  const shown = mixed
    .slice(0, MOST_NAMED)
    .map(
      ({ column, numbers, texts, example }) =>
        `${table}."${column}" has ${counted(texts, 'text')} such as "${example}" among ${counted(numbers, 'number')}`,
    )
  return [
    `${shown.join('; ')}: SUM and AVG take text for 0, MAX for more than any number. Add WHERE typeof("${first.column}") <> 'text' where that matters.`,
  ]
}

function describeDates(table: string, { column, count, example, order }: DateColumn): string {
  const call =
    order === 'dmy' ? `isodate("${column}")` : `isodate("${column}", '${order ?? 'dmy'}')`
  const unsure =
    order === null ? " (or 'mdy': the dates do not say whether the day comes first)" : ''
  return `${table}."${column}" has ${counted(count, 'date')} written as text, such as "${example}": date functions answer NULL for ${count === 1 ? 'it' : 'them'}, and the order is that of text. Use ${call}${unsure}.`
}

function describeAmounts(table: string, { column, count, example, decimal }: AmountColumn): string {
  const call = decimal === ',' ? `number("${column}", ',')` : `number("${column}")`
  return `${table}."${column}" has ${counted(count, 'amount')} that ${count === 1 ? 'is' : 'are'} text, such as "${example}": SUM and AVG take ${count === 1 ? 'it' : 'them'} for something else. Use ${call}.`
}
