import { unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { OpcPackage } from '../../packages/documents/src/opc/index.ts'
import { buildZip } from '../../packages/documents/src/opc/zip.contract.ts'
import { DECK_FAULTS } from './decks/injected-faults.ts'
import { DOCUMENT_FAULTS } from './documents/injected-faults.ts'
import type { InjectedFault } from './injected-fault.ts'
import { newRepairFaults, RULE_SETS, repairFaults } from './lint.ts'
import { OPC_FAULTS } from './opc-injected-faults.ts'
import { SOUND_DECK } from './sound-deck.ts'
import { SOUND_DOCUMENT } from './sound-document.ts'
import { SOUND_WORKBOOK } from './sound-workbook.ts'
import { WORKBOOK_FAULTS } from './workbooks/injected-faults.ts'

/** A file and the faults that are injected into it; a new kind of file adds its own here. */
const ZOO: readonly { readonly sound: Uint8Array; readonly faults: readonly InjectedFault[] }[] = [
  { sound: SOUND_DOCUMENT, faults: [...OPC_FAULTS, ...DOCUMENT_FAULTS] },
  { sound: SOUND_DECK, faults: DECK_FAULTS },
  { sound: SOUND_WORKBOOK, faults: WORKBOOK_FAULTS },
]

function damaged(sound: Uint8Array, { part, damage }: InjectedFault): Uint8Array {
  const opc = unwrap(OpcPackage.open(sound))
  const parts = new Map(opc.names.map(name => [name, unwrap(opc.part(name))]))
  const before = Buffer.from(parts.get(part) ?? '').toString('utf8')
  const after = damage?.(before)
  expect(after, 'the damage found nothing to damage').not.toBe(before)
  if (after === undefined) parts.delete(part)
  else parts.set(part, Buffer.from(after))
  return buildZip([...parts].map(([name, data]) => ({ name, data })))
}

describe('the repair lint', () => {
  test.each(ZOO)('finds nothing in a sound file', ({ sound }) => {
    expect(repairFaults(sound)).toEqual([])
  })

  for (const { sound, faults } of ZOO)
    test.each(faults.map((fault, index) => ({ ...fault, index })))('$rule: $index', fault => {
      const found = repairFaults(damaged(sound, fault))
      const rules = new Set(found.map(own => own.slice(0, own.indexOf(': '))))
      expect([...rules].sort()).toEqual([fault.rule, ...(fault.also ?? [])].sort())
    })

  test('every rule is proven by a fault', () => {
    const proven = new Set(ZOO.flatMap(({ faults }) => faults.map(({ rule }) => rule)))
    const rules = RULE_SETS.flatMap(set => set.rules.map(({ id }) => id))
    expect(rules.filter(id => !proven.has(id))).toEqual([])
    expect(new Set(rules).size).toBe(rules.length)
  })

  test('a fault that was there before an edit is not of the edit, and a second one of its kind is', () => {
    const spoil = (bytes: Uint8Array, word: string) =>
      damaged(bytes, {
        rule: 'docx/space-lost',
        part: 'word/document.xml',
        damage: xml => xml.replace(`<w:t>${word}</w:t>`, `<w:t>${word} </w:t>`),
      })
    const once = spoil(SOUND_DOCUMENT, 'new')
    expect(newRepairFaults(SOUND_DOCUMENT, once)).toHaveLength(1)
    expect(newRepairFaults(once, once)).toEqual([])
    expect(newRepairFaults(once, spoil(once, 'there'))).toHaveLength(1)
    expect(newRepairFaults(once, Buffer.from('no zip'))).toEqual([
      expect.stringContaining('opc/does-not-open'),
    ])
  })
})
