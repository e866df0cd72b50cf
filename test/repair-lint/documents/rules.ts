import type { RuleSet } from '../rule.ts'
import { ANNOTATION_RULES } from './annotations.ts'
import { ID_RULES } from './ids.ts'
import { MARK_RULES } from './marks.ts'
import { REFERENCE_RULES } from './references.ts'
import { STRUCTURE_RULES } from './structure.ts'
import { TABLE_RULES } from './tables.ts'

/** What Word repairs, drops or refuses. */
export const DOCUMENT_RULES: RuleSet = {
  mainRoot: 'w:document',
  rules: [
    ...MARK_RULES,
    ...ANNOTATION_RULES,
    ...ID_RULES,
    ...REFERENCE_RULES,
    ...STRUCTURE_RULES,
    ...TABLE_RULES,
  ],
}
