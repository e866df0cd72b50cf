import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createIdSource, type Rule, unwrap } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { openClientState } from '../embedded/open-client-state.ts'
import { makeTempFolder } from '../testing/temp-folder.ts'
import { openGate } from './gate.ts'

const question = (docPath: string) => ({
  tool: 'workspace_create_file',
  sessionId: 'ses_1',
  files: [{ docPath, bytes: 1 }],
})

test('a last line that a crash cut off removes no rule', async () => {
  const { root, path } = await withRules()
  writeFileSync(path, `${readFileSync(path, 'utf8')}{"add":{"id":"rul_9","eff`)
  const gate = await open(root)
  expect(gate.trouble).toEqual([])
  expect(gate.rules()).toHaveLength(3)
  expect(gate.answer(question('src/a.ts'))).toMatchObject({ effect: 'allow' })
})

test.each([
  ['garbage', (line: string) => `\x07${line.slice(4)}`],
  ['half a line', (line: string) => line.slice(0, 20)],
  ['zeros', (line: string) => '\0'.repeat(line.length)],
  ['no rule', () => 'null'],
  ['a rule without its effect', (line: string) => line.replace('deny', 'maybe')],
])('damaged rules (%s) allow nothing, and are kept and reported', async (_, damage) => {
  const { root, path } = await withRules()
  const lines = readFileSync(path, 'utf8').split('\n')
  const damaged = lines.map((line, n) => (n === 1 ? damage(line) : line)).join('\n')
  writeFileSync(path, damaged)
  const gate = await open(root)
  expect(gate.answer(question('src/a.ts'))).toEqual({ effect: 'ask' })
  expect(gate.answer(question('secret/a'))).toEqual({ effect: 'ask' })
  expect(gate.answer(question('old/a'))).toMatchObject({ effect: 'deny' })
  expect(gate.allowsReading('src/a.ts')).toBe(false)
  expect(gate.trouble).toEqual([expect.stringMatching(/1 of their lines .+damaged\/rules-/)])
  const [aside] = readdirSync(join(root, 'damaged'))
  expect(readFileSync(join(root, 'damaged', aside!), 'utf8')).toBe(damaged)

  unwrap(await gate.add({ effect: 'allow', path: 'new/**' }))
  const again = await open(root)
  expect(again.trouble).toEqual([])
  expect(again.rules().map(({ effect, path }) => [effect, path])).toEqual([
    ['deny', 'old/**'],
    ['write', 'new/**'],
  ])
})

test('rules without one readable line are not mistaken for a line that a crash cut off', async () => {
  const { root, path } = await withRules()
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/["{}\n]/g, '?'))
  expect((await open(root)).trouble).toHaveLength(1)
})

test('a rule with lost letters is not read as another one', async () => {
  const { root, path } = await withRules()
  const bytes = readFileSync(path)
  bytes[bytes.indexOf('secret')] = 0xff
  writeFileSync(path, bytes)
  expect((await open(root)).rules().map((rule: Rule) => rule.path)).toEqual(['old/**'])
})

test('many alternatives do not make a rule more exact', async () => {
  const gate = await open(makeTempFolder())
  unwrap(await gate.add({ effect: 'allow', path: '**/*.{md,txt,json,yaml,toml}' }))
  unwrap(await gate.add({ effect: 'deny', path: 'secret/**' }))
  expect(gate.answer(question('secret/a.md'))).toMatchObject({ effect: 'deny' })
  expect(gate.answer(question('b.md'))).toMatchObject({ effect: 'allow' })
})

test('a key file is read where a rule names it, until another rule closes it', async () => {
  const gate = await open(makeTempFolder())
  unwrap(await gate.add({ effect: 'write', path: '**' }))
  unwrap(await gate.add({ effect: 'write', path: '.env' }))
  unwrap(await gate.add({ effect: 'allow', path: '.env' }))
  unwrap(await gate.add({ effect: 'read', path: '.aws' })) // names a folder: no file in it is open
  expect(gate.allowsReading('.env')).toBe(false) // none of them says so
  expect(gate.allowsReading('.aws/credentials')).toBe(false)
  unwrap(await gate.add({ effect: 'read', path: './.ENV' }))
  unwrap(await gate.add({ effect: 'deny', path: '.env', tool: 'workspace_create_file' }))
  unwrap(await gate.add({ effect: 'deny', path: '*' }))
  expect(gate.allowsReading('.env')).toBe(true)
  const { id } = unwrap(await gate.add({ effect: 'deny', path: '.env' }))
  expect(gate.allowsReading('.env')).toBe(false)
  unwrap(await gate.remove(id))
  expect(gate.allowsReading('.env')).toBe(true)
})

test('a key file is written where a rule names it, and no pattern answers for it', async () => {
  const gate = await open(makeTempFolder())
  const asked = { ...question('.env'), files: [{ docPath: '.env', bytes: 1, needsName: true }] }
  unwrap(await gate.add({ effect: 'write', path: '**' }))
  unwrap(await gate.add({ effect: 'read', path: '.env' }))
  expect(gate.allowsWriting('.env')).toBe(false)
  expect(gate.answer(asked)).toEqual({ effect: 'ask' })
  const { id } = unwrap(await gate.add({ effect: 'ask', path: '.env' }))
  expect(gate.allowsWriting('.env')).toBe(true)
  expect(gate.answer(asked)).toEqual({ effect: 'ask' })
  unwrap(await gate.remove(id))
  unwrap(await gate.add({ effect: 'write', path: '.env', tool: 'workspace_create_file' }))
  expect(gate.answer(asked)).toMatchObject({ effect: 'allow' })
  expect(gate.answer({ ...asked, tool: 'workspace_write_patch' })).toEqual({ effect: 'ask' })
  unwrap(await gate.add({ effect: 'deny', path: '.env' }))
  expect(gate.allowsWriting('.env')).toBe(false)
})

test('a rule kept as "allow" by an earlier version allows writing and no reading', async () => {
  const root = makeTempFolder()
  const rule = { id: 'rul_1', effect: 'allow', path: '.env', time: '2026-01-31T12:00:00.000Z' }
  writeFileSync(join(root, 'rules.jsonl'), `${JSON.stringify({ add: rule })}\n`)
  const gate = await open(root)
  expect(gate.rules()).toEqual([{ ...rule, effect: 'write' }])
  expect([gate.allowsReading('.env'), gate.allowsWriting('.env')]).toEqual([false, true])
})

test.each([
  { path: '*.pem' },
  {},
  { path: '.env', tool: 'read_file' },
  { path: '.env', sessionId: 'ses_1' },
])('"read" opens one key file to every tool: no rule is made of %j', async narrowed => {
  const gate = await open(makeTempFolder())
  expect(await gate.add({ effect: 'read', ...narrowed })).toMatchObject({
    failure: { code: 'INVALID_ARGUMENT', message: expect.stringContaining('the exact path') },
  })
  expect(gate.rules()).toEqual([])
})

/** Allows src, denies secret and old. */
async function withRules() {
  const root = makeTempFolder()
  const gate = await open(root)
  unwrap(await gate.add({ effect: 'allow', path: 'src/**' }))
  unwrap(await gate.add({ effect: 'deny', path: 'secret/**' }))
  unwrap(await gate.add({ effect: 'deny', path: 'old/**' }))
  return { root, path: join(root, 'rules.jsonl') }
}

async function open(root: string) {
  const ids = createIdSource(digits => randomBytes(digits / 2).toString('hex'))
  return openGate((await openClientState(root)).rules, ids, () => '2026-01-31T12:00:00.000Z')
}
