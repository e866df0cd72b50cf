import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  type Fields,
  isFields,
  type LoggedOperation,
  type Operation,
  type Sha256,
  toBytes,
  unwrap,
} from '@filewright/protocol'
import { expect, test } from 'vitest'
import { OPERATIONS } from '../../packages/documents/src/formats/xlsx/declared/operations.ts'
import { XlsxDocument } from '../../packages/documents/src/formats/xlsx/document.ts'
import { newSheetFaults } from '../../packages/documents/src/formats/xlsx/testing/sheet-rules.contract.ts'
import { structureFaults } from '../../packages/documents/src/formats/xlsx/testing/structure.contract.ts'
import { logged, NAME } from '../../packages/documents/src/formats/xlsx/testing/zoo.contract.ts'

const folder = fileURLToPath(
  new URL('../../packages/documents/src/formats/xlsx/scenarios', import.meta.url),
)
const ALLOWED = { allowProtected: true, allowBreakSignature: true }

/** The operations of every scenario on the workbook that it starts with. */
const calls = readdirSync(folder).flatMap(name => {
  const { calls: several, ...one } = JSON.parse(
    readFileSync(`${folder}/${name}/call.json`, 'utf8'),
  ) as { calls?: Fields[] } & Fields
  return (several ?? [one]).flatMap(call => {
    const { path, operations } = (call.arguments ?? {}) as Fields
    const file = `${folder}/${name}/input/${path}`
    const isOwn = call.tool === undefined && Array.isArray(operations) && existsSync(file)
    return isOwn ? [{ name, file, operations: operations as Operation[] }] : []
  })
})

const done = new Set<string>()

test.each(calls)(
  '$name: after each operation the lint finds nothing new',
  ({ name, file, operations }) => {
    const bytes = readFileSync(file)
    const known = new Set(structureFaults(bytes))
    const document = unwrap(XlsxDocument.open(bytes, NAME))
    for (const [index, operation] of operations.entries()) {
      if (!isFields(operation)) continue
      const { log, inputs } = withInput(`${folder}/${name}/input/`, operation, index)
      if (!document.apply([log], { ...ALLOWED, inputs }).ok) continue // a refusal is another scenario's matter
      done.add(String(operation.op))
      const after = toBytes(unwrap(document.content()), bytes)
      expect(newSheetFaults(bytes, after), String(operation.op)).toEqual([])
      expect(structureFaults(after).filter(fault => !known.has(fault))).toEqual([])
    }
  },
)

test('every operation was looked at', () => {
  expect(Object.keys(OPERATIONS).filter(op => !done.has(op))).toEqual([])
})

/** The other file that an operation names, if it does: a workbook or a picture. */
function withInput(
  from: string,
  operation: Operation,
  index: number,
): { log: LoggedOperation; inputs: Record<string, Uint8Array> } {
  const log = logged([operation], `tc_${index}`)[0]!
  const named = isFields(operation.from) ? operation.from.path : operation.image
  const path = typeof named === 'string' ? named : undefined
  if (path === undefined) return { log, inputs: {} }
  const sha256 = `${'0'.repeat(63)}1` as Sha256
  return {
    log: { ...log, inputs: { [path]: sha256 } },
    inputs: { [sha256]: readFileSync(`${from}${path}`) },
  }
}
