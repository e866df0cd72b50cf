import type { Rule } from '@filewright/protocol'
import type { RuleList } from '../state/rule-list.ts'
import type { LineLogs } from './line-logs.ts'
import { toDamage } from './to-damage.ts'

type RuleLine = { readonly add: Rule } | { readonly remove: string }

const RULES = 'rules.jsonl'

export function createRuleList(logs: LineLogs): RuleList {
  return {
    async load() {
      const rules = new Map<string, Rule>()
      const salvaged = await logs.salvage(RULES, isRuleLine)
      for (const line of salvaged.lines)
        if ('add' in line) rules.set(line.add.id, line.add)
        else rules.delete(line.remove)
      return { rules: [...rules.values()], damage: toDamage(salvaged) }
    },
    add: rule => append({ add: rule }),
    remove: id => append({ remove: id }),
    replace: rules =>
      logs.replace(
        RULES,
        rules.map((add): RuleLine => ({ add })),
      ),
  }

  function append(line: RuleLine): Promise<void> {
    return logs.append(RULES, [line])
  }
}

const EFFECTS: readonly unknown[] = ['allow', 'deny', 'ask', 'scan'] satisfies Rule['effect'][]

function isRuleLine(line: unknown): line is RuleLine {
  const { add, remove } = Object(line) as Record<string, unknown>
  if (add === undefined) return typeof remove === 'string'
  const { id, effect, tool, path, sessionId, maxBytes } = Object(add) as Record<string, unknown>
  return (
    typeof id === 'string' &&
    EFFECTS.includes(effect) &&
    [tool, path, sessionId].every(text => text === undefined || typeof text === 'string') &&
    (maxBytes === undefined || typeof maxBytes === 'number')
  )
}
