import type { DocPath } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { createChangeTeller } from './change-teller.ts'
import type { ChangedFiles } from './workspace.ts'

const named = (count: number) => Array.from({ length: count }, (_, n) => `f${n}.txt` as DocPath)

test('a thousand changes are reported by name, and one more as everything', async () => {
  const told: ChangedFiles[] = []
  const teller = createChangeTeller({ onChange: change => void told.push(change), onError: fail })
  for (const docPath of [...named(1_000), ...named(1_000)]) teller.note(docPath)
  await expect.poll(() => told).toHaveLength(1)
  for (const docPath of named(1_001)) teller.note(docPath)
  await expect.poll(() => told).toHaveLength(2)
  expect(told).toEqual([
    { docPaths: named(1_000), isAll: false },
    { docPaths: [], isAll: true },
  ])
  await teller.close()
})

test('changes while the listener is busy are reported as soon as it is free', async () => {
  const told: ChangedFiles[] = []
  let goOn = () => {}
  const busy = new Promise<void>(resolve => (goOn = resolve))
  const onChange = async (change: ChangedFiles) => {
    told.push(change)
    await busy
  }
  const teller = createChangeTeller({ onChange, onError: fail })
  teller.note('first.txt' as DocPath)
  await expect.poll(() => told).toHaveLength(1)
  for (const docPath of named(3)) teller.note(docPath)
  goOn()
  await expect.poll(() => told).toHaveLength(2)
  expect(told[1]).toEqual({ docPaths: named(3), isAll: false })
  await teller.close()
})

function fail(error: unknown): never {
  throw error
}
