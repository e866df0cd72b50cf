import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { EXCEL_PROOFS } from '../../packages/documents/src/formats/xlsx/recompute/excel-proofs.ts'
import { createEvaluator } from '../../packages/engine/src/formulas/evaluator.ts'
import { type Alone, hasTruth, judgedAlone, readTruth, truthFiles } from './excel-truth.contract.ts'
import { evaluateAll, provenCalls, readProofs } from './proofs.contract.ts'

const LIST = new URL(
  '../../packages/documents/src/formats/xlsx/recompute/excel-proofs.ts',
  import.meta.url,
)
const isUpdate = process.env.FILEWRIGHT_UPDATE_PROOFS === '1'

test.skipIf(!hasTruth)('what is proven by workbooks of Excel is what they show', () => {
  const evaluator = createEvaluator({ timeMs: 300_000 })
  const proofs = proofsOf(truthFiles().flatMap(file => judgedAlone(readTruth(file), evaluator)))
  if (isUpdate) writeFileSync(LIST, listOf(proofs))
  else expect(proofs).toEqual(EXCEL_PROOFS)
})

const LEAST = 3 // a shape that was right once or twice may be so by chance

/** By function: its shapes of arguments, and what it was given in each place, where it was right. */
function proofsOf(cases: readonly Alone[]): Record<string, string> {
  const shapes = new Map<string, Map<string, number>>()
  const kinds = new Map<string, Set<string>>()
  for (const { calls, kinds: seen } of cases.filter(own => own.isRight)) {
    for (const { name, shape } of calls) {
      const known = shapes.get(name) ?? new Map<string, number>()
      shapes.set(name, known.set(shape, (known.get(shape) ?? 0) + 1))
    }
    for (const own of seen) {
      const [name, ...rest] = own.split(' ')
      kinds.set(name!, (kinds.get(name!) ?? new Set()).add(rest.join(' ')))
    }
  }
  const contradicted = new Set([
    ...cases.flatMap(own => contradictedBy(own, kinds)),
    ...wrongNames(),
  ])
  return Object.fromEntries(
    [...shapes].sort(byName).flatMap(([name, counts]) => {
      const sure = [...counts].flatMap(([shape, count]) => (count >= LEAST ? shape : []))
      const isOperator = !/^[A-Z]/.test(name)
      if (isOperator || contradicted.has(name) || sure.length === 0) return []
      return [
        [name, `${sure.sort().join(' | ')} : ${[...(kinds.get(name) ?? [])].sort().join(', ')}`],
      ]
    }),
  )
}

/** Functions that are wrong elsewhere. */
function wrongNames(): string[] {
  const proofs = readProofs()
  const { wrong } = provenCalls(proofs, evaluateAll(proofs.map(({ formula }) => formula)))
  return wrong.map(({ formula }) => formula.split('(', 1)[0]!)
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) =>
  a < b ? -1 : 1

/** A wrong result, where nothing was given that is wrong elsewhere, speaks against the function. */
function contradictedBy(
  { calls, isRight, kinds: seen }: Alone,
  right: ReadonlyMap<string, ReadonlySet<string>>,
): string[] {
  const { name = '' } = calls.at(-1) ?? {}
  const own = seen
    .filter(kind => kind.startsWith(`${name} `))
    .map(kind => kind.slice(name.length + 1))
  return !isRight && own.every(kind => right.get(name)?.has(kind)) ? [name] : []
}

function listOf(proofs: Readonly<Record<string, string>>): string {
  return `/** Made by test/formulas/excel-proofs.test.ts from workbooks that Excel wrote: shapes of arguments, and what they were. */
export const EXCEL_PROOFS: Readonly<Record<string, string>> = ${JSON.stringify(proofs, null, 2)}
`
}
