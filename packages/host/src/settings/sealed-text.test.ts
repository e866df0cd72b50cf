import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from './config.ts'
import { isSealed, open, seal } from './sealed-text.ts'
import { API_KEY, MODEL, SETTINGS } from './settings.ts'
import { readSettings, rotateSettings, writeSetting } from './settings-file.ts'

const ONE = 'the first secret, which is long enough'
const TWO = 'the second secret, which is long enough'

describe('a sealed text', () => {
  test('opens with its secret, in its place, and with nothing else', () => {
    const sealed = seal('sk-key-ü', 'api-key', ONE)
    expect(isSealed(sealed)).toBe(true)
    expect(sealed).not.toContain('sk-key')
    expect(open(sealed, 'api-key', { current: ONE })).toBe('sk-key-ü')
    expect(open(sealed, 'api-key', { current: TWO, old: ONE })).toBe('sk-key-ü')
    expect(open(sealed, 'api-key', { current: TWO })).toBeUndefined()
    expect(open(sealed, 'api-key', {})).toBeUndefined()
    expect(open(sealed, 'openai-key', { current: ONE })).toBeUndefined()
  })

  test('is another each time, and a changed one does not open', () => {
    const sealed = seal('sk-key-1', 'api-key', ONE)
    expect(seal('sk-key-1', 'api-key', ONE)).not.toBe(sealed)
    const place = sealed.lastIndexOf(':') + 1
    for (let i = place; i < sealed.length; i += 3) {
      const other = sealed[i] === 'A' ? 'B' : 'A'
      const changed = sealed.slice(0, i) + other + sealed.slice(i + 1)
      expect(open(changed, 'api-key', { current: ONE }), `${i}`).toBeUndefined()
    }
    expect(open(sealed.slice(0, place + 10), 'api-key', { current: ONE })).toBeUndefined()
  })
})

describe('keys in the settings', () => {
  function newPlace() {
    const stateRoot = mkdtempSync(join(tmpdir(), 'filewright-secrets-'))
    onTestFinished(() => rmSync(stateRoot, { recursive: true }))
    const file = join(stateRoot, 'config.json')
    return { stateRoot, file, text: () => readFileSync(file, 'utf8') }
  }

  test('are kept as they are without a secret, and encrypted with one; other settings never are', () => {
    const { stateRoot, file, text } = newPlace()
    writeSetting({ stateRoot, secrets: {} }, API_KEY, 'sk-key')
    expect(text()).toContain('sk-key')
    const secrets = { current: ONE }
    writeSetting({ stateRoot, secrets }, API_KEY, 'sk-key')
    writeSetting({ stateRoot, secrets }, MODEL, 'some-model')
    expect(text()).not.toContain('sk-key')
    expect(text()).toContain('some-model')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readConfig({ FILEWRIGHT_STATE: stateRoot, FILEWRIGHT_SECRET: ONE })).toMatchObject({
      apiKey: 'sk-key',
      model: 'some-model',
    })
  })

  test('are unreadable without their secret, and stay as they are when others are written', () => {
    const { stateRoot } = newPlace()
    writeSetting({ stateRoot, secrets: { current: ONE } }, API_KEY, 'sk-key')
    writeSetting({ stateRoot, secrets: {} }, MODEL, 'some-model')
    const without = readSettings({ stateRoot, secrets: {} })
    expect(without).toEqual({ settings: { model: 'some-model' }, unreadable: ['api-key'] })
    const { settings } = readSettings({ stateRoot, secrets: { current: ONE } })
    expect(settings['api-key']).toBe('sk-key')
  })

  test('are encrypted anew with a new secret beside the old one, which is not needed afterwards', () => {
    const { stateRoot, text } = newPlace()
    writeSetting({ stateRoot, secrets: { current: ONE } }, API_KEY, 'sk-key')
    const place = { stateRoot, secrets: { current: TWO, old: ONE } }
    expect(rotateSettings(place, SETTINGS)).toEqual(['api-key'])
    expect(text()).not.toContain('sk-key')
    const read = (current: string) => readSettings({ stateRoot, secrets: { current } })
    expect(read(TWO).settings['api-key']).toBe('sk-key')
    expect(read(ONE).unreadable).toEqual(['api-key'])
  })

  test('need a secret that nobody finds by trying', () => {
    const { stateRoot } = newPlace()
    const weak = { FILEWRIGHT_STATE: stateRoot, FILEWRIGHT_SECRET: 'letmein' }
    expect(() => readConfig(weak)).toThrow(/has 7 characters/)
  })
})
