import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { PROVEN_CALLS } from '../../packages/documents/src/formats/xlsx/recompute/proven-calls.ts'
import { evaluateAll, provenCalls, readProofs } from './proofs.contract.ts'

test('what counts as proven is what the proofs show', () => {
  const proofs = readProofs()
  const values = evaluateAll(proofs.map(({ formula }) => formula))
  const { proven, wrong } = provenCalls(proofs, values)
  const right = proofs.filter(proof => !wrong.includes(proof))
  const functions = new Set(
    right.flatMap(({ formula }) => formula.match(/[A-Z][A-Z0-9.]+(?=\()/g) ?? []),
  )
  if (process.env.FILEWRIGHT_UPDATE_PROOFS) {
    console.log(
      wrong
        .map(
          proof =>
            `${proof.formula}  expected ${JSON.stringify(proof.expected)}  got ${JSON.stringify(values[proofs.indexOf(proof)])}`,
        )
        .join('\n'),
    )
    writeFileSync(
      new URL(
        '../../packages/documents/src/formats/xlsx/recompute/proven-calls.ts',
        import.meta.url,
      ),
      `/** Made from the proofs in test/formulas: functions and operators with the shapes of arguments that they cover. */
export const PROVEN_CALLS: Readonly<Record<string, readonly string[]>> = ${JSON.stringify(proven, null, 2)}
`,
    )
    return
  }
  expect(proven).toEqual(PROVEN_CALLS)
  expect(right.length).toBeGreaterThanOrEqual(300)
  expect(functions.size).toBeGreaterThanOrEqual(150)
})
