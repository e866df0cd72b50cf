import type { Box } from '@filewright/protocol'
import type { Line, Side } from '../../looks/look.ts'
import type { LookEdit } from '../../looks/look-edit.ts'

/** Which edges of a range a cell is at. */
export type Edges = Readonly<Record<'left' | 'right' | 'top' | 'bottom', boolean>>

export function edgesAt(box: Box, row: number, column: number): Edges {
  return {
    left: column === box.left,
    right: column === box.right,
    top: row === box.top,
    bottom: row === box.bottom,
  }
}

/** The lines around a range and inside it become lines of the cell. */
export function withEdges(edit: LookEdit, edges: Edges): LookEdit {
  const { outline, inside, ...rest } = edit
  if (outline === undefined && inside === undefined) return edit
  const border: Partial<Record<Side, Line | null>> = { ...edit.border }
  for (const side of ['left', 'right', 'top', 'bottom'] as const) {
    const line = edges[side] ? outline : inside
    if (line !== undefined) border[side] = line
  }
  return { ...rest, border }
}
