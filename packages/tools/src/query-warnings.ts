import type { AmountColumn, DateColumn, LoadedTable } from '@filewright/documents'
import { counted } from '@filewright/protocol'

const MOST_NAMED = 5 // columns of one table

/** What may make a total differ from what a reader expects. */
export function describeTables(tables: readonly LoadedTable[], sql: string): string[] {
  return tables.flatMap(({ name, mixed, amounts, dates, staleRows, warning }) => [
    ...(warning === undefined ? [] : [`${name}: ${warning}`]),
    ...dates
      .filter(({ column }) => usesBare(sql, column))
      .slice(0, MOST_NAMED)
      .map(column => describeDates(name, column)),
    ...amounts.slice(0, MOST_NAMED).map(column => describeAmounts(name, column)),
    ...mixed
      .slice(0, MOST_NAMED)
      .map(
        ({ column, numbers, texts, example }) =>
          `${name}."${column}" has ${counted(texts, 'text')} such as "${example}" among ${counted(numbers, 'number')}: SUM and AVG take text for 0, MAX for more than any number. Add WHERE typeof("${column}") <> 'text' where that matters.`,
      ),
    ...(staleRows > 0
      ? [
          `${counted(staleRows, 'row')} of ${name} ${staleRows === 1 ? 'has' : 'have'} a formula whose result is not known yet; it is NULL here.`,
        ]
      : []),
  ])
}

/** A column that is only shown or compared is right as it is; this one may be sorted or taken apart. */
function usesBare(sql: string, column: string): boolean {
  const words = sql.toLowerCase()
  return words.includes(column.toLowerCase()) && !words.includes('isodate')
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
