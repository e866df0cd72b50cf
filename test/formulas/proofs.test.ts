import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { PROVEN_CALLS } from '../../packages/documents/src/formats/xlsx/recompute/proven-calls.ts'
import { formulasPage } from './page.contract.ts'
import { evaluateAll, provenCalls, readProofs } from './proofs.contract.ts'

const LIST = new URL(
  '../../packages/documents/src/formats/xlsx/recompute/proven-calls.ts',
  import.meta.url,
)
const PAGE = new URL('../../docs/formulas.md', import.meta.url)
const isUpdate = process.env.FILEWRIGHT_UPDATE_PROOFS === '1'

const proofs = readProofs()
const values = evaluateAll(proofs.map(({ formula }) => formula))
const { proven, wrong } = provenCalls(proofs, values)
const right = proofs.filter(proof => !wrong.includes(proof))
if (isUpdate) {
  const text = `/** Made from the proofs in test/formulas: functions and operators with the shapes of arguments that they cover. */
export const PROVEN_CALLS: Readonly<Record<string, readonly string[]>> = ${JSON.stringify(proven, null, 2)}
`
  writeFileSync(LIST, text)
  writeFileSync(PAGE, formulasPage(proven, proofs, wrong))
}

test('what counts as proven is what the proofs show', () => {
  if (!isUpdate) expect(proven).toEqual(PROVEN_CALLS)
  expect(readFileSync(PAGE, 'utf8')).toBe(formulasPage(proven, proofs, wrong))
})

test('the proofs are of at least 300 formulas over 150 functions', () => {
  const functions = right.flatMap(({ formula }) => formula.match(/[A-Z][A-Z0-9.]+(?=\()/g) ?? [])
  expect(right.length).toBeGreaterThanOrEqual(300)
  expect(new Set(functions).size).toBeGreaterThanOrEqual(150)
})

test('what the library computes wrongly is known, and not proven', () => {
  expect(wrong.map(({ formula }) => formula)).toEqual([
    'T.INV.2T(0.05,10)',
    'T.DIST.2T(2,10)',
    'SECOND(0.5001)',
    'TBILLEQ(D1,D1+180,0.09)',
    'TBILLPRICE(D1,D1+180,0.09)',
    'TBILLYIELD(D1,D1+180,98.4)',
    'DURATION(D1,D1+2000,0.08,0.09,2,1)',
    'MDURATION(D1,D1+2000,0.08,0.09,2,1)',
    'CONFIDENCE.T(0.05,1.5,50)',
    'T.DIST(2,10,TRUE)',
    'TDIST(2,10,2)',
    'CHITEST(M1:O3,A1:C3)',
  ])
  for (const name of ['T.INV.2T', 'T.DIST.2T', 'SECOND'])
    expect(PROVEN_CALLS[name], name).toBeUndefined()
})
