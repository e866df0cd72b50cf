import { lookUp } from '@filewright/protocol'
import type { Book } from '../../../book/book.ts'
import { foldedName } from '../../../cell/same-name.ts'
import { decodeEscapes } from '../../../cell/strings.ts'
import type { WorkbookArgs } from '../../../declared/operations.ts'
import { TOTAL_FUNCTIONS } from '../../../objects/table-part.ts'
import { escapeName } from '../../../table/table-rewrites.ts'
import { formulaField, wrong } from '../object-fields.ts'
import type { TotalCell } from './table-rows.ts'

type TableArgs = WorkbookArgs<'add_table' | 'edit_table'>

/** Whether a row of totals is asked for; undefined: nothing is said about it. */
export function wantsTotals({ totals }: TableArgs): boolean | undefined {
  return totals === undefined ? undefined : totals !== false
}

/** The cells of the row of totals. The table is there: a formula may name it. */
export function totalsField(
  book: Book,
  args: TableArgs,
  table: { readonly name: string; readonly columns: readonly string[] },
): readonly TotalCell[] {
  const { totals } = args
  const names = table.columns.map(decodeEscapes)
  const asked = typeof totals === 'object' ? totals : { [names.at(-1)!]: 'sum' }
  const byColumn = new Map<number, unknown>()
  for (const [column, wanted] of Object.entries(asked)) {
    const index = names.findIndex(name => foldedName(name) === foldedName(column))
    if (index < 0)
      throw wrong(
        args,
        `totals names the column ${JSON.stringify(column)}; the columns are ${names.join(', ')}`,
      )
    byColumn.set(index, wanted)
  }
  return names.map((name, index) => {
    const wanted = byColumn.get(index)
    if (!byColumn.has(index)) return index === 0 ? label('Total') : EMPTY
    return totalCell(book, args, `${table.name}[${escapeName(name)}]`, wanted)
  })
}

const EMPTY: TotalCell = { content: null }

function label(value: string): TotalCell {
  return { content: { type: 'text', value } }
}

function totalCell(book: Book, args: TableArgs, column: string, wanted: unknown): TotalCell {
  if (wanted === null || wanted === '' || wanted === 'none') return EMPTY
  if (typeof wanted !== 'string')
    throw wrong(
      args,
      `totals: a column takes ${Object.keys(TOTAL_FUNCTIONS).join(', ')}, a formula such as "=MAX(Sales[Net])" or a label`,
    )
  const known = lookUp(TOTAL_FUNCTIONS, wanted.toLowerCase().replace(/[\s-]+/g, '_'))
  if (known)
    return { content: null, formula: { text: `SUBTOTAL(${known[1]},${column})`, kind: 'normal' } }
  if (wanted.startsWith('=')) return formulaField(book, args, 'totals', wanted)
  return label(wanted)
}

const BUILT_IN = /^(light|medium|dark)(\d{1,2})$/
const MOST: Readonly<Record<string, number>> = { light: 21, medium: 28, dark: 11 }

/** `TableStyleMedium2`, `medium 2`, a style of the workbook; `none` is undefined in the answer. */
export function tableStyleField(
  book: Book,
  args: TableArgs,
): { readonly style: string | undefined } | undefined {
  const { style } = args
  if (style === undefined) return undefined
  const plain = style
    .toLowerCase()
    .replace(/[\s_-]+/g, '')
    .replace(/^tablestyle/, '')
  if (plain === 'none' || plain === '') return { style: undefined }
  const [, kind = '', number = ''] = BUILT_IN.exec(plain) ?? []
  if (kind !== '' && Number(number) >= 1 && Number(number) <= MOST[kind]!)
    return { style: `TableStyle${kind[0]!.toUpperCase()}${kind.slice(1)}${Number(number)}` }
  const own = ownTableStyles(book).find(name => name.toLowerCase() === style.toLowerCase())
  if (own !== undefined) return { style: own }
  throw wrong(
    args,
    `there is no table style ${JSON.stringify(style)}; use TableStyleLight1 to 21, TableStyleMedium1 to 28, TableStyleDark1 to 11 or none`,
  )
}

function ownTableStyles(book: Book): readonly string[] {
  const root = book.part.styles().document?.root
  const list = root?.children.find(({ local }) => local === 'tableStyles')
  return (list?.children ?? []).flatMap(
    own => own.attributes.find(({ name }) => name === 'name')?.value ?? [],
  )
}
