import type { CLEAN_OPERATIONS } from '../../declared/clean.ts'
import type { DocumentHandler } from '../../edit/editor.ts'
import { clean } from './clean.ts'

export const CLEAN_HANDLERS: Readonly<Record<keyof typeof CLEAN_OPERATIONS, DocumentHandler>> = {
  clean,
}
