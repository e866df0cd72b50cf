import { DECK_RULES } from './decks/rules.ts'
import { DOCUMENT_RULES } from './documents/rules.ts'
import { OfficeFile } from './office-file.ts'
import { OPC_RULES } from './opc-rules.ts'
import type { RuleSet } from './rule.ts'
import { WORKBOOK_RULES } from './workbooks/rules.ts'

/** The rules of every kind of file; a new kind adds its set here. */
export const RULE_SETS: readonly RuleSet[] = [OPC_RULES, DOCUMENT_RULES, DECK_RULES, WORKBOOK_RULES]

/** What Office would repair in a file: the id of a rule and what is wrong, for each fault. */
export function repairFaults(bytes: Uint8Array): string[] {
  const opened = OfficeFile.open(bytes)
  if (!opened.ok) return [`opc/does-not-open: ${opened.failure.message}`]
  const file = opened.value
  const mainRoot = file.tree(file.main)?.root.name
  return RULE_SETS.filter(set => set.mainRoot === undefined || set.mainRoot === mainRoot)
    .flatMap(({ rules }) => rules)
    .flatMap(rule => [...rule.check(file)].map(what => `${rule.id}: ${what}`))
}

/** Faults that an edit brought: real files may have some before. */
export function newRepairFaults(before: Uint8Array, after: Uint8Array): string[] {
  const faults = repairFaults(after)
  if (faults.length === 0) return []
  const known = new Map<string, number>()
  for (const fault of repairFaults(before)) known.set(fault, (known.get(fault) ?? 0) + 1)
  return faults.filter(fault => {
    const left = known.get(fault) ?? 0
    known.set(fault, left - 1)
    return left <= 0
  })
}
