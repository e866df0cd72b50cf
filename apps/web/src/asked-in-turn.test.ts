import { expect, test } from 'vitest'
import { askedInTurn } from './asked-in-turn.ts'

test('questions do not overlap, and those asked meanwhile share the next', async () => {
  const answers: (() => void)[] = []
  const reload = askedInTurn(() => new Promise<void>(answer => answers.push(answer)))
  reload()
  reload()
  reload()
  expect(answers).toHaveLength(1)
  answers[0]!()
  await expect.poll(() => answers.length).toBe(2)
  answers[1]!()
  await Promise.resolve()
  reload()
  await expect.poll(() => answers.length).toBe(3)
})
