import { expect, test } from 'vitest'
import { append, engineContract, lines, textOf } from './engine.contract.ts'
import { createInProcessEngine } from './in-process-engine.ts'
import { trapFormat } from './testing/trap-format.ts'

const loadFormat = async () => trapFormat

engineContract('the engine in this process', () => createInProcessEngine({ loadFormat }))

test('a call that was cancelled before its turn is not carried out', async () => {
  const engine = createInProcessEngine({ loadFormat })
  const ref = lines('a', 'one')
  const stopped = await engine.apply(ref, append('two'), 'n', {}, { signal: AbortSignal.abort() })
  expect(stopped).toMatchObject({ failure: { code: 'CANCELLED' } })
  expect(await textOf(engine, ref)).toBe('one')
})

test('a closed engine answers CANCELLED', async () => {
  const engine = createInProcessEngine({ loadFormat })
  await engine.close()
  expect(await engine.map(lines('a', ''))).toMatchObject({ failure: { code: 'CANCELLED' } })
})
