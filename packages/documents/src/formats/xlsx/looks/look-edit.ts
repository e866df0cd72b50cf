import type { Color } from './color.ts'
import type { CellLook, Fill, Line, Side } from './look.ts'

/** What a look becomes: only what is given changes; null takes it away. */
export interface LookEdit {
  readonly named?: string
  readonly font?: string
  readonly size?: number
  readonly bold?: boolean
  readonly italic?: boolean
  readonly strike?: boolean
  readonly underline?: CellLook['underline'] | null
  readonly script?: CellLook['script'] | null
  readonly color?: Color | null
  readonly fill?: Fill | null
  /** Of each cell. */
  readonly border?: BorderEdit
  /** Around the range, and between its cells. */
  readonly outline?: Line | null
  readonly inside?: Line | null
  readonly align?: CellLook['align']
  readonly valign?: CellLook['valign']
  readonly wrap?: boolean
  readonly shrink?: boolean
  readonly indent?: number
  readonly rotate?: CellLook['rotate']
  readonly reading?: CellLook['reading'] | null
  readonly format?: string
  readonly locked?: boolean
  readonly hidden?: boolean
}

export type BorderEdit = Readonly<Partial<Record<Side, Line | null>>>
