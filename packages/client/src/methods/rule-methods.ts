import { fail, ok } from '@filewright/protocol'
import { catalog, findTool } from '@filewright/tools'
import type { Gate } from '../gate/gate.ts'
import type { MethodTable } from '../link/answerer.ts'

/** The rules of the gate. `onScanAllowed`: a person allowed the scan of the whole folder. */
export function createRuleMethods(
  gate: Gate,
  { onScanAllowed }: { readonly onScanAllowed: () => void },
): Pick<MethodTable, 'rule-list' | 'rule-add' | 'rule-remove'> {
  return {
    'rule-list': async () => ok(gate.rules()),
    async 'rule-add'({ rule }) {
      if (rule.tool === undefined || findTool(rule.tool)) {
        const added = await gate.add(rule)
        if (added.ok && rule.effect === 'scan') onScanAllowed()
        return added
      }
      const names = catalog.map(({ declaration }) => declaration.name).join(', ')
      return fail('UNKNOWN_TOOL', `There is no tool "${rule.tool}". The tools are ${names}.`)
    },
    'rule-remove': ({ ruleId }) => gate.remove(ruleId),
  }
}
