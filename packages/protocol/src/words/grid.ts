/** What a page needs to draw a region of a sheet. Rows and columns count from 1; sizes are pixels at 96 per inch. */
export interface SheetGrid {
  readonly sheet: string
  /** Every sheet with cells that a person may switch to, in the order of the file. */
  readonly sheets: readonly { readonly name: string; readonly visibility: string }[]
  /** The region that is described: what was asked for, or as much of it as one answer holds. */
  readonly box: GridBox
  /** Where the sheet has content; null: it is empty. */
  readonly used: GridBox | null
  /** Columns and rows of the box that are not of the default size, or are hidden, as runs. */
  readonly columns: readonly GridRun[]
  readonly rows: readonly GridRun[]
  readonly defaults: { readonly width: number; readonly height: number }
  /** Rows above and columns left of these stay in view; null: nothing is frozen. */
  readonly frozen: { readonly rows: number; readonly columns: number } | null
  readonly gridLines: boolean
  readonly rightToLeft: boolean
  /** Merged ranges that reach into the box. */
  readonly merges: readonly GridBox[]
  /** Every look that a cell here has; cells name them by position. The first is the plain one. */
  readonly looks: readonly GridLook[]
  /** Cells with content or a look of their own, by row and column. */
  readonly cells: readonly SheetGridCell[]
  /** Conditional formats of the sheet that are not drawn here, in words. */
  readonly undrawn: readonly string[]
}

export interface GridBox {
  readonly top: number
  readonly left: number
  readonly bottom: number
  readonly right: number
}

/** Neighbouring lines of one size. */
export interface GridRun {
  readonly from: number
  readonly to: number
  readonly size: number
  readonly hidden?: true
  /** Levels of grouping around it. */
  readonly level?: number
}

export interface SheetGridCell {
  readonly row: number
  readonly column: number
  /** As its format shows it. */
  readonly text: string
  readonly type: 'number' | 'date' | 'text' | 'boolean' | 'error' | 'empty'
  /** Position in `looks`; absent: the plain one. */
  readonly look?: number
  /** With its `=`. */
  readonly formula?: string
  /** The formula has no result yet. */
  readonly isStale?: true
  /** What conditional formats add: a look that goes over the cell's own, a bar, an icon. */
  readonly over?: GridLook
  readonly bar?: { readonly color: string; readonly from: number; readonly to: number }
  readonly icon?: { readonly set: string; readonly index: number; readonly of: number }
  /** A bar or an icon stands in place of the text. */
  readonly hidesText?: true
}

/** Colours are `RRGGBB`. What is absent is as in the plain look, or is not there. */
export interface GridLook {
  readonly font?: string
  /** In points. */
  readonly size?: number
  readonly bold?: boolean
  readonly italic?: boolean
  readonly strike?: boolean
  readonly underline?: 'single' | 'double'
  readonly script?: 'superscript' | 'subscript'
  readonly color?: string
  readonly fill?: string
  /** A second colour under a pattern or at the end of a gradient. */
  readonly pattern?: { readonly name: string; readonly back: string }
  readonly border?: Readonly<Record<string, { readonly style: string; readonly color: string }>>
  /** `general`: numbers right, text left, true and false in the middle. */
  readonly align?: string
  readonly valign?: string
  readonly wrap?: boolean
  readonly shrink?: boolean
  readonly indent?: number
  readonly rotate?: number | 'stacked'
}
