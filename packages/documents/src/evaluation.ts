/** What an evaluator is given: formulas, and the cells they read, as plain data. */
export interface Evaluation {
  /** In formulas a sheet goes by its position: `S0`, `S1` and so on. */
  readonly sheets: readonly EvaluationSheet[]
  /** Each formula once, without its `=`, as it reads in the cell that is its anchor. */
  readonly texts: readonly EvaluationText[]
  /** Sheet, row, column and text of each cell to compute: four numbers for each, every cell after those it reads. */
  readonly cells: readonly number[]
  /** Which kinds of values in which functions are to be reported: `MINUS 0 empty`, or `MINUS` for every kind. */
  readonly watched?: readonly string[]
}

export interface EvaluationSheet {
  /** How far references may reach. */
  readonly rows: number
  readonly columns: number
  /** Row and column of each cell with a value: two numbers for each, counted from 1. */
  readonly places: readonly number[]
  readonly values: readonly CellValue[]
}

export interface EvaluationText {
  readonly text: string
  readonly row: number
  readonly column: number
}

export type CellValue = number | string | boolean | { readonly error: string }

/** One value for each cell in the order asked; null where there is none to give, such as for an array. */
export type Evaluated =
  | {
      readonly values: readonly (CellValue | null)[]
      /** By the position of a cell: what was watched for and seen while it was computed. */
      readonly kinds?: Readonly<Record<number, readonly string[]>>
      /** By the position of a cell without a value: what programs may differ about. */
      readonly doubts?: Readonly<Record<number, string>>
      /** Positions of cells that took too long. */
      readonly late?: readonly number[]
    }
  | { readonly problem: 'time' | 'fault' }

/**
 * Computes formulas. It may be wrong: what it says counts only where `acceptRecompute` has a proof. Never throws, and
 * returns in bounded time.
 */
export type Evaluator = (evaluation: Evaluation) => Evaluated
