import { expect, test } from 'vitest'
import { toProcesses } from './engine-processes.ts'

test('two processes work on documents unless more are asked for', () => {
  expect(toProcesses(undefined)).toBe(2)
  expect(toProcesses('6')).toBe(6)
})

test.each(['0', '17', '1.5', 'many', ''])('%j is no number of processes', given =>
  expect(() => toProcesses(given)).toThrow(/"engines".*from 1 to 16/),
)
