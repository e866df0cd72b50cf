import { expect, test } from 'vitest'
import { engineContract, lines } from './engine.contract.ts'
import { createInProcessEngine } from './in-process-engine.ts'
import { trapFormat } from './testing/trap-format.ts'

const loadFormat = async () => trapFormat

engineContract('the engine in this process', () => createInProcessEngine({ loadFormat }))

test('a closed engine answers CANCELLED', async () => {
  const engine = createInProcessEngine({ loadFormat })
  await engine.close()
  expect(await engine.map(lines('a', ''))).toMatchObject({ failure: { code: 'CANCELLED' } })
})
