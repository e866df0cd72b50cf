import type { DeckOperation } from '../declared/operations.ts'
import type { DeckHandler } from '../edit/editor.ts'
import { CHART_HANDLERS } from './charts/index.ts'
import { MARK_HANDLERS } from './marks/index.ts'
import { SHAPE_HANDLERS } from './shapes/index.ts'
import { SLIDE_HANDLERS } from './slides/index.ts'
import { TABLE_HANDLERS } from './tables/index.ts'
import { TEXT_HANDLERS } from './text/index.ts'

/** One handler per declared operation; a group is a folder here and a file in `declared/`. */
export const OPERATIONS: Readonly<Record<DeckOperation, DeckHandler>> = {
  ...TEXT_HANDLERS,
  ...SLIDE_HANDLERS,
  ...MARK_HANDLERS,
  ...TABLE_HANDLERS,
  ...SHAPE_HANDLERS,
  ...CHART_HANDLERS,
}
