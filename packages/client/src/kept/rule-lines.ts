import { type GivenRule, OLDER_WRITE, RULE_EFFECTS, type Rule } from '@filewright/protocol'
import type { RuleList } from '../state/rule-list.ts'
import type { LineLogs } from './line-logs.ts'
import { toDamage } from './to-damage.ts'

type RuleLine = { readonly add: KeptRule } | { readonly remove: string }

/** Earlier versions had one word for reading and writing; what they kept allows writing. */
type KeptRule = Omit<Rule, 'effect'> & GivenRule

export const RULES = 'rules.jsonl'

export function createRuleList(logs: LineLogs): RuleList {
  return {
    async load() {
      const rules = new Map<string, Rule>()
      const salvaged = await logs.salvage(RULES, isRuleLine)
      for (const line of salvaged.lines)
        if ('add' in line) rules.set(line.add.id, toRule(line.add))
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

function toRule(kept: KeptRule): Rule {
  return { ...kept, effect: kept.effect === OLDER_WRITE ? 'write' : kept.effect }
}

const EFFECTS: readonly unknown[] = [...RULE_EFFECTS, OLDER_WRITE]

function isRuleLine(line: unknown): line is RuleLine {
  const { add, remove } = Object(line) as Record<string, unknown>
  if (add === undefined) return typeof remove === 'string'
  const { id, effect, tool, path, sessionId, sha256, maxBytes } = Object(add) as Record<
    string,
    unknown
  >
  return (
    typeof id === 'string' &&
    EFFECTS.includes(effect) &&
    [tool, path, sessionId, sha256].every(text => text === undefined || typeof text === 'string') &&
    (maxBytes === undefined || typeof maxBytes === 'number')
  )
}
