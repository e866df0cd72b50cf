import { type Fields, type LoggedOperation, lookUp } from '@filewright/protocol'
import type { InputBytes } from './format.ts'
import type { OperationTable } from './operation-table.ts'

/** The other files that an operation names, as it spells them. */
export function filesNamedBy(operation: Fields, { operations }: OperationTable): readonly string[] {
  const own = lookUp(operations, String(operation.op))
  const named = (own?.files ?? []).map(field => pathIn(operation[field]))
  return [...new Set(named.filter(path => path !== undefined))]
}

/** `"logo.png"` or `{path: "logo.png", …}` */
function pathIn(value: unknown): string | undefined {
  const path = typeof value === 'object' && value ? (value as Fields).path : value
  return typeof path === 'string' && path !== '' ? path : undefined
}

/** The bytes of a file that an operation names, as its log pins them; undefined: it names no such file. */
export function inputOf(
  { inputs: pinned }: LoggedOperation,
  spelling: string,
  inputs: InputBytes = {},
): Uint8Array | undefined {
  const sha256 = pinned && lookUp(pinned, spelling)
  if (sha256 === undefined) return undefined
  const bytes = inputs[sha256]
  if (!bytes) throw new Error(`The bytes of "${spelling}" were not given to the operation`)
  return bytes
}
