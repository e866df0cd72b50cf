import {
  fail,
  type GivenRule,
  isOutsideName,
  ok,
  parseRelativePath,
  type Result,
} from '@filewright/protocol'
import { catalog, findTool } from '@filewright/tools'
import type { Desk } from '../draft/draft-view.ts'
import type { Gate } from '../gate/gate.ts'
import type { MethodTable } from '../link/answerer.ts'

export interface RuleMethodsPorts {
  readonly desk: Pick<Desk, 'workspace'>
  /** A person allowed the scan of the whole folder. */
  readonly onScanAllowed: () => void
}

/** The rules of the gate. */
export function createRuleMethods(
  gate: Gate,
  { desk, onScanAllowed }: RuleMethodsPorts,
): Pick<MethodTable, 'rule-list' | 'rule-add' | 'rule-remove' | 'call-allowed'> {
  /** A yes to instructions is a yes to what the file says: to what was shown, else to what it says now. */
  async function withContent(rule: GivenRule): Promise<Result<GivenRule>> {
    if (rule.effect !== 'instructions' || rule.path === undefined) return ok(rule)
    const path = parseRelativePath(rule.path)
    const hashed = path.ok ? await desk.workspace.hash(path.value) : path
    if (!hashed.ok) return hashed
    const { sha256 } = hashed.value
    if (rule.sha256 === undefined || rule.sha256 === sha256) return ok({ ...rule, sha256 })
    return fail(
      'CONFLICT',
      `No rule was made: "${rule.path}" has changed since it was shown. Look at it again.`,
    )
  }

  return {
    'rule-list': async () => ok(gate.rules()),
    'call-allowed': async ({ tool, sha256, sessionId }) =>
      ok(gate.answersCall(tool, sha256, sessionId)),
    async 'rule-add'({ rule }) {
      if (rule.tool === undefined || findTool(rule.tool) || isOutsideRule(rule)) {
        const given = await withContent(rule)
        const added = given.ok ? await gate.add(given.value) : given
        if (added.ok && rule.effect === 'scan') onScanAllowed()
        return added
      }
      const names = catalog.map(({ declaration }) => declaration.name).join(', ')
      return fail('UNKNOWN_TOOL', `There is no tool "${rule.tool}". The tools are ${names}.`)
    },
    'rule-remove': ({ ruleId }) => gate.remove(ruleId),
  }
}

/** What rules say about tools of MCP servers, which no list of ours has. */
function isOutsideRule({ tool, effect }: GivenRule): boolean {
  return tool !== undefined && isOutsideName(tool) && ['call', 'deny', 'ask'].includes(effect)
}
