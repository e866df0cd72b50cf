import type { WorkspaceId } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { type AmongInstancesParts, joinInstances } from './among-instances.ts'

test.each([
  ['that ended meanwhile is no error: the next start does it again', true, []],
  ['that goes on is one', false, ['Session.ReconcileFailed']],
])(
  'what is left of a client’s calls when the database closes in a process %s',
  async (_, ends, expected) => {
    const logged: string[] = []
    const fail: { now?: () => void } = {}
    const instances = joinInstances({
      homes: undefined,
      link: { attach: () => () => {}, isAttached: () => false },
      calls: {
        reconcile: () =>
          new Promise((_resolve, reject) => {
            fail.now = () => reject(new Error('database is not open'))
          }),
      },
      logger: { event: () => {}, error: (name: string) => void logged.push(name) },
    } as unknown as AmongInstancesParts)
    instances.attachClient('ws_1' as WorkspaceId, () => {}, {} as never)
    await new Promise(setImmediate)
    if (ends) instances.close()
    fail.now!()
    await new Promise(setImmediate)
    expect(logged).toEqual(expected)
  },
)
