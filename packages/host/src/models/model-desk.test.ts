import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../settings/config.ts'
import { createModelDesk } from './model-desk.ts'
import { modelResolver } from './models.ts'

function desk(env: Record<string, string> = {}) {
  const stateRoot = mkdtempSync(join(tmpdir(), 'filewright-desk-'))
  onTestFinished(() => rmSync(stateRoot, { recursive: true }))
  const read = () => readConfig({ FILEWRIGHT_STATE: stateRoot, ...env })
  return {
    ...createModelDesk(read, modelResolver(read)),
    kept: () => JSON.parse(readFileSync(join(stateRoot, 'config.json'), 'utf8')),
  }
}

const HERE = 'http://127.0.0.1:1/v1'

test('a key is kept and told to nobody; a new host loses it', async () => {
  const { setModel, kept } = desk()
  const set = await setModel({ model: 'mine', baseUrl: HERE, apiKey: 'sk-secret' })
  expect(set).toMatchObject({
    value: { current: { name: 'mine' }, endpoint: { baseUrl: HERE, hasKey: true } },
  })
  expect(JSON.stringify(set)).not.toContain('sk-secret')
  expect(kept()).toMatchObject({ 'api-key': 'sk-secret' })
  await setModel({ baseUrl: 'http://127.0.0.1:1/v2' })
  expect(kept()['api-key']).toBe('sk-secret') // the same host
  const moved = await setModel({ baseUrl: 'http://127.0.0.1:2/v1' })
  expect(moved).toMatchObject({ value: { endpoint: { hasKey: false } } })
  expect(kept()['api-key']).toBeUndefined()
})

test('the key of a provider goes to its own setting', async () => {
  const { setModel, models } = desk()
  expect(
    await setModel({ provider: 'openai', apiKey: 'sk-1', model: 'openai/gpt-5' }),
  ).toMatchObject({
    ok: true,
  })
  const { providers, endpoint } = await models()
  expect(providers.find(({ id }) => id === 'openai')).toMatchObject({ hasKey: true })
  expect(endpoint.hasKey).toBe(false)
})

test('what cannot be set says why, and nothing is set', async () => {
  const { setModel, models } = desk()
  expect(await setModel({ provider: 'nobody' })).toMatchObject({ failure: { code: 'NOT_FOUND' } })
  expect(await setModel({ baseUrl: 'not an address' })).toMatchObject({
    failure: { code: 'INVALID_ARGUMENT' },
  })
  expect(await models()).toMatchObject({ current: { isDemonstration: true } })
})

test('an environment that names a model goes before the settings, and the answer says so', async () => {
  const { setModel } = desk({ FILEWRIGHT_MODEL: 'scripted/demo' })
  expect(await setModel({ model: 'other', baseUrl: HERE })).toMatchObject({
    failure: { code: 'CONFLICT', message: expect.stringContaining('FILEWRIGHT_MODEL') },
  })
})

test('a model that does not answer is tried and says what is in the way', async () => {
  const { setModel, tryModel } = desk()
  await setModel({ model: 'mine', baseUrl: HERE })
  expect(await tryModel(undefined)).toMatchObject({ model: 'mine', answers: false })
  expect(await tryModel('scripted/demo')).toMatchObject({ answers: true })
})
