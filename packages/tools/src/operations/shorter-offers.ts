import type { OperationTable } from '@filewright/documents'
import type { ShorterOffer } from '@filewright/protocol'
import { z } from 'zod'
import { DESCRIBE_OPERATIONS } from './describe-name.ts'

const ASK = `Call ${DESCRIBE_OPERATIONS} for the fields of an operation before you send it for the first time; a refused call names them too.`

/** The operations in a line each; by their names; by none. Their fields are for the asking. */
export function shorterOffers(
  table: OperationTable,
  inputOf: (operations: z.ZodType) => z.ZodObject,
): readonly ShorterOffer[] {
  const names = Object.keys(table.operations) as [string, ...string[]]
  const ops = [
    z.string().describe(listOperations(table)),
    z.enum(names),
    z.string().describe(`One that ${DESCRIBE_OPERATIONS} lists`),
  ]
  return ops.map(op => ({ guidance: ASK, input: inputOf(z.array(z.looseObject({ op }))) }))
}

/** `set_cells: writes single cells`, a line each. */
export function listOperations({ operations }: OperationTable): string {
  return Object.entries(operations)
    .map(([name, { does }]) => `${name}: ${does}`)
    .join('\n')
}
