import type { TableCell } from './format.ts'

/** Which table of a file a query means, and which part of it. */
export interface TablePart {
  /** By its name; absent: all tables of the file. */
  readonly table?: string
  /** A1:D20 */
  readonly range?: string
  /** The row with the names of the columns; null: there is none; absent: found. */
  readonly headerRow?: number | null
  /** Its name in SQL, instead of its own. */
  readonly as?: string
}

export interface QueryOptions {
  /** Rows given; all are counted. */
  readonly maxRows: number
  /** Of all values given. */
  readonly maxCharacters: number
}

export interface QueryResult {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly TableCell[])[]
  /** How many there are, also beyond those given. */
  readonly rowCount: number
  readonly tables: readonly LoadedTable[]
}

export interface LoadedTable {
  /** In SQL. */
  readonly name: string
  readonly columns: readonly string[]
  /** Null: the columns are called by their letters. */
  readonly headerRow: number | null
  readonly rowCount: number
  /** Rows with a formula that has no result yet. */
  readonly staleRows: number
  /** Columns with text among numbers. */
  readonly mixed: readonly MixedColumn[]
  /** Columns with numbers that are text, because of a currency or a percent sign. */
  readonly amounts: readonly AmountColumn[]
  /** Columns with dates that date functions do not read, such as 31.12.2025. */
  readonly dates: readonly DateColumn[]
  /** Why its rows may not be what they seem. */
  readonly warning?: string
}

/** Day or month first. */
export type DateOrder = 'dmy' | 'mdy'

export interface DateColumn {
  readonly column: string
  readonly count: number
  readonly example: string
  /** Null: no date of it says. */
  readonly order: DateOrder | null
}

export interface AmountColumn {
  readonly column: string
  readonly count: number
  readonly example: string
  readonly decimal: '.' | ','
}

export interface MixedColumn {
  readonly column: string
  readonly numbers: number
  readonly texts: number
  readonly example: string
}

/** A table to be written, and where. */
export interface WrittenTable extends Pick<QueryResult, 'columns' | 'rows'> {
  /** The file's key: its ending may choose a delimiter. */
  readonly docPath: string
  /** In a file with several tables: the name of this one. */
  readonly table?: string
  /** Its first cell, where the format has cells. */
  readonly start?: string
}
