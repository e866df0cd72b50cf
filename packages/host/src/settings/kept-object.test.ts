import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sendNotesTo } from '../exit/note.ts'
import { API_KEY, MODEL } from './settings.ts'
import { readSettings, writeSetting } from './settings-file.ts'

const WAYS = {
  truncated: (bytes: Buffer, at: number) => bytes.subarray(0, at),
  zeroed: (bytes: Buffer) => Buffer.alloc(bytes.length),
  'without its first line': (bytes: Buffer) => bytes.subarray(bytes.indexOf(0x0a) + 1),
  'with a zero byte': (bytes: Buffer, at: number) => Buffer.from(bytes).fill(0, at, at + 1),
  'with a strange byte': (bytes: Buffer, at: number) => Buffer.from(bytes).fill(0xff, at, at + 1),
} as const

test('damaged settings are told by name, apply in nothing, and are never overwritten', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...(Object.keys(WAYS) as (keyof typeof WAYS)[])),
      fc.nat(),
      (way, place) => {
        const stateRoot = mkdtempSync(join(tmpdir(), 'filewright-settings-'))
        const at = { stateRoot, secrets: {} }
        const path = join(stateRoot, 'config.json')
        writeSetting(at, API_KEY, 'sk-first')
        writeSetting(at, MODEL, 'some-model')
        const whole = readFileSync(path)
        const damaged = Buffer.from(WAYS[way](whole, place % (whole.length - 2)))
        writeFileSync(path, damaged)
        const notes: string[] = []
        const stop = sendNotesTo(line => notes.push(line))
        expect(readSettings(at).settings).toEqual({})
        expect(notes).toEqual([expect.stringContaining(path)])
        expect(notes.join()).not.toContain('sk-first')
        writeSetting(at, MODEL, 'other-model')
        stop()
        const aside = readdirSync(stateRoot).find(name => name.includes('.damaged-'))!
        expect(notes.at(-1)).toContain(aside)
        expect(readFileSync(join(stateRoot, aside))).toEqual(damaged)
        expect(readSettings(at).settings).toEqual({ model: 'other-model' })
      },
    ),
    { numRuns: 100 },
  )
})

test('what a person wrote into the settings by hand stays when another is set', () => {
  const stateRoot = mkdtempSync(join(tmpdir(), 'filewright-settings-'))
  const path = join(stateRoot, 'config.json')
  writeFileSync(path, '{"mine": {"note": 1}}')
  writeSetting({ stateRoot, secrets: {} }, MODEL, 'some-model')
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ mine: { note: 1 }, model: 'some-model' })
})
