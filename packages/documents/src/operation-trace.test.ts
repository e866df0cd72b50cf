import { type LoggedOperation, unwrap } from '@filewright/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { logged, openZoo, p, r, shown } from './formats/docx/testing/zoo.contract.ts'
import { packFound, unpackFound } from './operation-trace.ts'

test('a replay takes what the log found, whatever stands there by then', () => {
  const body = p(r('one')) + p(r('two')) + p(r('one'))
  const { document } = openZoo({ body })
  const [operation] = logged([{ op: 'replace_text', search: 'one', replace: 'ONE' }])
  const { traces } = unwrap(document.apply([operation!]))
  const kept: LoggedOperation = JSON.parse(JSON.stringify({ ...operation, trace: traces[0] }))
  const elsewhere = openZoo({ body: body.replace('two', 'one') })
  unwrap(elsewhere.document.apply([kept]))
  expect(shown(elsewhere.document)).toEqual(['p1|ONE', 'p2|one', 'p3|ONE'])
  const anew = openZoo({ body: body.replace('two', 'one') })
  unwrap(anew.document.apply([operation!]))
  expect(shown(anew.document)).toEqual(['p1|ONE', 'p2|ONE', 'p3|ONE'])
})

const json = fc.dictionary(fc.string(), fc.jsonValue())
const long = fc.record({
  order: fc.array(fc.oneof(fc.integer(), fc.nat(99), fc.maxSafeInteger()), {
    minLength: 600,
    maxLength: 700,
  }),
  ids: fc.array(fc.string(), { minLength: 300, maxLength: 400 }),
  more: fc.jsonValue(),
})

test('what was found comes back as it was, short or long', () => {
  fc.assert(
    fc.property(fc.oneof(json, long), found => {
      const plain = JSON.parse(JSON.stringify(found))
      const kept = JSON.parse(JSON.stringify(packFound(plain) ?? {}))
      expect(unpackFound(kept)).toEqual(plain)
    }),
    { endOnFailure: true },
  )
})

test('the rows of a sort of a million stay small where they follow a pattern', () => {
  const order = Array.from({ length: 1_000_000 }, (_, i) => 1_000_000 - i)
  expect(JSON.stringify(packFound({ order })).length).toBeLessThan(20_000)
})
