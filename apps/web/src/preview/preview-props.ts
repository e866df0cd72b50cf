import type { SheetOrigin } from '../grid/use-sheet.ts'
import type { FileContent } from '../stage/use-content.ts'

export interface PreviewProps {
  readonly path: string
  readonly content: FileContent
  /** Where the grid asks for the cells of a workbook. */
  readonly cells: SheetOrigin
  /** What is selected on the stage, for a question about it. */
  readonly onSelect: (words: string) => void
}
