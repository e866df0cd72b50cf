import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Rule } from '@filewright/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openDraftStore } from '../../packages/client/src/draft/draft-store.ts'
import { openClientState } from '../../packages/client/src/embedded/open-client-state.ts'
import { openGate } from '../../packages/client/src/gate/gate.ts'

const KEPT = join(import.meta.dirname, 'builds/e6dc59fe/state/workspaces')

const WAYS = {
  truncated: (bytes: Buffer, at: number) => bytes.subarray(0, at),
  zeroed: (bytes: Buffer) => Buffer.alloc(bytes.length),
  'zeroed from there': (bytes: Buffer, at: number) => Buffer.from(bytes).fill(0, at),
  'without its first line': (bytes: Buffer) =>
    Buffer.concat([Buffer.from('#'), bytes.subarray(bytes.indexOf(0x0a))]),
  'with a zero byte': (bytes: Buffer, at: number) => Buffer.from(bytes).fill(0, at, at + 1),
  'with a strange byte': (bytes: Buffer, at: number) => Buffer.from(bytes).fill(0xff, at, at + 1),
} as const

const anyWay = fc.constantFrom(...(Object.keys(WAYS) as (keyof typeof WAYS)[]))

test('a damaged draft is listed, as it is or as damaged, and none of its bytes is lost', async () => {
  const drafts = filesIn(/drafts\/open\/.*\.jsonl$/)
  expect(drafts.length).toBeGreaterThan(3)
  await damaging(drafts, async ({ root, name, damaged, way }) => {
    const state = await openClientState(root)
    const store = await openDraftStore(state.drafts)
    const found = [...(await store.list()), ...(await store.damaged())].map(({ id }) => id)
    expect(found, way).toContain(name.match(/(drf_.*)\.jsonl$/)![1])
    const isListed = store.open().some(({ id }) => name.includes(id))
    const aside = join(root, name.replace('open', 'damaged'))
    if (!isListed) expect(readFileSync(aside)).toEqual(damaged)
    state.close()
  })
})

test('of damaged rules no allow stays and none is lost unsaid', async () => {
  const rules = [
    rule('a', 'deny', 'secret/**'),
    rule('b', 'write', 'docs/**'),
    rule('c', 'deny', '*.csv'),
  ]
  await damaging(
    ['rules.jsonl'],
    async ({ root, damaged, way }) => {
      const state = await openClientState(root)
      const gate = await openGate(
        state.rules,
        kind => `${kind}_1` as never,
        () => '',
      )
      expect(gate.trouble, way).toHaveLength(1)
      expect(gate.rules().every(({ effect }) => effect === 'deny')).toBe(true)
      const aside = readdirSync(join(root, 'damaged'))
      expect(aside).toHaveLength(1)
      expect(gate.trouble[0]).toContain(aside[0])
      expect(readFileSync(join(root, 'damaged', aside[0]!))).toEqual(damaged)
      state.close()
    },
    rules,
  )
})

interface Damaged {
  readonly root: string
  readonly name: string
  readonly damaged: Buffer
  readonly way: string
}

/** One of the files at a time, in a copy of the state of its workspace. */
async function damaging(
  names: readonly string[],
  check: (found: Damaged) => Promise<void>,
  rules?: readonly Rule[],
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...names), anyWay, fc.nat(), async (path, way, place) => {
      const root = mkdtempSync(join(tmpdir(), 'filewright-damage-'))
      try {
        const [key, ...rest] = path.split('/')
        const name = rules ? path : rest.join('/')
        if (rules)
          writeFileSync(join(root, name), rules.map(add => `${JSON.stringify({ add })}\n`).join(''))
        else cpSync(join(KEPT, key!), root, { recursive: true })
        const whole = readFileSync(join(root, name))
        const at = 1 + (place % (whole.length - 2)) // a file that lost all, or its last newline alone, is no other than one that was never written
        const damaged = Buffer.from(WAYS[way](whole, at))
        if (isAsKilled(damaged)) return
        writeFileSync(join(root, name), damaged)
        await check({ root, name, damaged, way: `${way} at ${at}` })
      } finally {
        rmSync(root, { recursive: true })
      }
    }),
    { numRuns: 200 },
  )
}

/** Whole lines, and behind them nothing, room or the beginning of a line: a process that was killed leaves that. */
function isAsKilled(bytes: Buffer): boolean {
  const end = bytes.lastIndexOf(0x0a) + 1
  const rest = bytes.toString('latin1', end)
  return rest === '' || /^[[{]/.test(rest) || (end > 0 && /^\0+$/.test(rest))
}

function filesIn(meant: RegExp): string[] {
  expect(existsSync(KEPT)).toBe(true)
  return readdirSync(KEPT, { recursive: true })
    .map(String)
    .filter(name => meant.test(name))
    .sort()
}

function rule(id: string, effect: Rule['effect'], path: string): Rule {
  return { id, effect, path, time: '2026-11-19T10:00:00.000Z' }
}
