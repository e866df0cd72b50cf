import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { IS_FULL } from '../../packages/documents/src/corpus.contract.ts'
import { cellKey } from '../../packages/documents/src/formats/xlsx/cell/address.ts'
import { same } from '../../packages/documents/src/formats/xlsx/recompute/accept-recompute.ts'
import { recalculate, valuesOf } from './libreoffice.contract.ts'
import { PROOFS_FILE, type Proof, proofBook, readFormulas, readProofs } from './proofs.contract.ts'

const isUpdate = process.env.FILEWRIGHT_UPDATE_PROOFS === '1'

test.skipIf(!IS_FULL && !isUpdate)(
  'the expected values are those of LibreOffice, or worked out by hand',
  () => {
    const formulas = readFormulas()
    const [made] = recalculate([proofBook(formulas.map(({ formula }) => formula))])
    const values = valuesOf(made!).get('Proofs')!
    const proofs: Proof[] = formulas.map(({ formula, byHand }, index) => ({
      formula,
      expected: byHand ?? values.get(cellKey(index + 1, 26)) ?? '',
    }))
    if (isUpdate)
      writeFileSync(PROOFS_FILE, `[\n${proofs.map(own => JSON.stringify(own)).join(',\n')}\n]\n`)
    const known = readProofs()
    const differing = proofs.filter((own, index) => !same(own.expected, known[index]!.expected))
    expect(differing).toEqual([])
  },
  600_000,
)
