import type { Rule } from '@filewright/protocol'
import type { RuleList } from '../state/rule-list.ts'

/**
 * A list that begins with the rules of this machine for the same folder. They answer for writes; no key file is opened by
 * them, because its content would leave the machine.
 */
export function withLentRules(list: RuleList, lent: readonly Rule[]): RuleList {
  return {
    ...list,
    async load() {
      const { rules, damage } = await list.load()
      const answering = [...lent, ...rules].filter(({ effect }) => effect !== 'read')
      return { rules: answering, damage }
    },
  }
}
