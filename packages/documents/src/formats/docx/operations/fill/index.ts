import type { FILL_OPERATIONS } from '../../declared/fill.ts'
import type { DocumentHandler } from '../../edit/editor.ts'
import { fillPlaceholders } from './fill-placeholders.ts'

export const FILL_HANDLERS: Readonly<Record<keyof typeof FILL_OPERATIONS, DocumentHandler>> = {
  fill_placeholders: fillPlaceholders,
}
