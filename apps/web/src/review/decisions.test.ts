import type { Change } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { type Decisions, decide, split, toChoice, verdictOn, wentAlong } from './decisions.ts'

const change = (id: string, dependsOn: string[] = []) =>
  ({
    id,
    dependsOn,
    docPath: 'a.md',
    kind: 'lines',
    operation: { toolCallId: 't', index: 0, op: 'replace' },
  }) as unknown as Change

const first = change('1')
const second = change('2', ['1'])
const third = change('3')
const all = [first, second, third]
const NONE: Decisions = new Map()
const verdicts = (decisions: Decisions) => all.map(each => verdictOn(decisions, each)).join()

test('what builds on a refused or left change goes with it', () => {
  expect(verdicts(decide(NONE, [first], 'refuse', all))).toBe('refuse,refuse,accept')
  expect(verdicts(decide(NONE, [first], 'leave', all))).toBe('leave,leave,accept')
})

test('what went along is counted, and what was chosen or stays as it was is not', () => {
  const refused = decide(NONE, [first], 'refuse', all)
  expect(wentAlong(NONE, refused, [first], all)).toBe(1)
  expect(wentAlong(NONE, refused, [first, second], all)).toBe(0)
  expect(wentAlong(refused, decide(refused, [first], 'refuse', all), [first], all)).toBe(0)
})

test('an accepted change brings what it needs, and a refused one stays refused when its base is left', () => {
  const refused = decide(NONE, [first], 'refuse', all)
  expect(verdicts(decide(refused, [second], 'accept', all))).toBe('accept,accept,accept')
  const last = decide(NONE, [second], 'refuse', all)
  expect(verdicts(decide(last, [first], 'leave', all))).toBe('leave,refuse,accept')
})

test('a publish names only what has to be named', () => {
  const choice = (decisions: Decisions) => toChoice(split(decisions, all))
  expect(choice(NONE)).toEqual({})
  expect(choice(decide(NONE, [third], 'refuse', all))).toEqual({ refused: ['3'] })
  expect(choice(decide(NONE, [third], 'leave', all))).toEqual({ only: ['1', '2'] })
})
