/** A cell as it is drawn. */
export interface DrawnCell {
  readonly text: string
  readonly formula?: string
  readonly align?: 'left' | 'center' | 'right'
  readonly isBold?: boolean
  readonly isItalic?: boolean
  /** CSS colours of the file itself. */
  readonly fill?: string
  readonly color?: string
  readonly wraps?: boolean
}

/** What a review says about a cell. */
export interface CellMark {
  readonly changeId?: string
  readonly before?: string
  readonly after?: string
  readonly look: 'accepted' | 'refused' | 'left' | 'follows'
}

export interface MergedCells {
  readonly row: number
  readonly column: number
  readonly rows: number
  readonly columns: number
}

/** Where a grid has its cells from. What is not there yet is undefined, and `need` has it loaded. */
export interface GridSource {
  readonly rows: number
  readonly columns: number
  cell(row: number, column: number): DrawnCell | undefined
  need?(first: number, last: number): void
  /** In pixels; undefined: the usual. */
  width?(column: number): number | undefined
  height?(row: number): number | undefined
  readonly merges?: readonly MergedCells[]
  mark?(row: number, column: number): CellMark | undefined
}
