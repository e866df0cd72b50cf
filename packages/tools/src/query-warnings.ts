import type { AmountColumn, LoadedTable } from '@filewright/documents'
import { counted } from '@filewright/protocol'

const MOST_NAMED = 5 // columns of one table

/** What may make a total differ from what a reader expects. */
export function describeTables(tables: readonly LoadedTable[]): string[] {
  return tables.flatMap(({ name, mixed, amounts, staleRows }) => [
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

function describeAmounts(table: string, { column, count, example, decimal }: AmountColumn): string {
  const call = decimal === ',' ? `number("${column}", ',')` : `number("${column}")`
  return `${table}."${column}" has ${counted(count, 'amount')} that ${count === 1 ? 'is' : 'are'} text, such as "${example}": SUM and AVG take ${count === 1 ? 'it' : 'them'} for something else. Use ${call}.`
}
