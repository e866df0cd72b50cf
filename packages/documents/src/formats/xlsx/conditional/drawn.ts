import type { SheetGridCell } from '@filewright/protocol'

/** What rules add to a cell. */
export type Drawn = Pick<SheetGridCell, 'over' | 'bar' | 'icon' | 'hidesText'>
