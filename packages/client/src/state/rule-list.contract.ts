import type { Rule } from '@filewright/protocol'
import { beforeEach, describe, expect, test } from 'vitest'
import type { RuleList } from './rule-list.ts'

/** What every list of rules does. `make` gives how to open a new, empty one, and to open it again later. */
export function ruleListContract(name: string, make: () => () => Promise<RuleList>): void {
  describe(name, () => {
    let open: () => Promise<RuleList>
    let list: RuleList
    beforeEach(async () => {
      open = make()
      list = await open()
    })
    const idsIn = async (rules: RuleList) => (await rules.load()).rules.map(({ id }) => id)

    test('after a restart the rules are in the order they were made, without the revoked ones', async () => {
      expect(await list.load()).toEqual({ rules: [], damage: undefined })
      for (const id of ['a', 'b', 'c']) await list.add(rule(id))
      await list.remove('b')
      await list.remove('none')
      const again = await open()
      expect(await again.load()).toEqual({ rules: [rule('a'), rule('c')], damage: undefined })
      await again.add(rule('b'))
      expect(await idsIn(await open())).toEqual(['a', 'c', 'b'])
    })

    test('rules that replace the others are the only ones', async () => {
      for (const id of ['a', 'b', 'c']) await list.add(rule(id))
      await list.replace([rule('b')])
      await list.add(rule('d'))
      expect(await idsIn(await open())).toEqual(['b', 'd'])
    })
  })
}

function rule(id: string): Rule {
  return { id, effect: 'write', path: `${id}/**`, time: '2026-01-31T12:00:00.000Z' }
}
