import { statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { modelResolver, readConfig } from '@filewright/host'
import { unwrap } from '@filewright/protocol'
import { expect, onTestFinished } from 'vitest'
import { sandbox } from '../cli.ts'
import { fakeModel } from '../fake-model.ts'
import { verifies } from '../verifies.ts'

verifies(
  ['CONTRACT §9 config', 'CONTRACT §8 keys mode 0600'],
  'config: settings are shown and changed; a key is kept for its user alone and never shown',
  async () => {
    const box = sandbox()
    expect((await box.run(['config', 'set', 'model', 'fake'])).code).toBe(0)
    expect((await box.run(['config', 'set', 'api-key', 'very-secret'])).code).toBe(0)
    expect(statSync(join(box.state, 'config.json')).mode & 0o777).toBe(0o600)
    const listed = await box.run(['config'])
    expect(listed.stdout).toMatch(/model\s+fake/)
    expect(listed.stdout).toMatch(/api-key\s+\(set\)/)
    expect(listed.stdout + listed.stderr).not.toContain('very-secret')
    expect((await box.run(['config', 'unset', 'api-key'])).code).toBe(0)
    expect((await box.run(['config', 'list'])).stdout).toMatch(/api-key\s+-/)
    const refused = await box.run(['config', 'set', 'colour', 'red'])
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('base-url')
  },
)

verifies(
  ['CONTRACT §9 model from settings', 'CONTRACT §9 model from the environment'],
  'the model of the settings is used, the environment goes before it, and the option before both',
  async () => {
    const model = await fakeModel([{ text: 'Hello.' }])
    const box = sandbox()
    await box.run(['config', 'set', 'base-url', model.baseUrl])
    await box.run(['config', 'set', 'api-key', 'from-settings'])
    await box.run(['config', 'set', 'model', 'of-settings'])
    await box.run(['run', 'Hi.'])
    await box.run(['run', 'Hi.'], {
      env: { FILEWRIGHT_MODEL: 'of-environment', FILEWRIGHT_API_KEY: 'from-environment' },
    })
    await box.run(['run', 'Hi.', '--model', 'of-option'], {
      env: { FILEWRIGHT_MODEL: 'of-environment' },
    })
    expect(model.requests.map(request => [request.model, request.authorization])).toEqual([
      ['of-settings', 'Bearer from-settings'],
      ['of-environment', 'Bearer from-environment'],
      ['of-option', 'Bearer from-settings'],
    ])
  },
)

verifies(
  "CONTRACT §9 model from providers' variables",
  "the providers' usual variables are enough to use their models",
  async () => {
    const box = sandbox()
    const state = { FILEWRIGHT_STATE: box.state }
    const none = await modelResolver(() => readConfig(state)).resolve('openai/gpt-5')
    expect(none).toMatchObject({ ok: false, failure: { code: 'INVALID_ARGUMENT' } })
    for (const [variable, name, destination] of [
      ['OPENAI_API_KEY', 'openai/gpt-5', 'openai'],
      ['ANTHROPIC_API_KEY', 'anthropic/claude-sonnet-4-5', 'anthropic'],
      ['GEMINI_API_KEY', 'google/gemini-2.5-pro', 'google'],
    ] as const) {
      const config = readConfig({ ...state, [variable]: 'k' })
      const model = unwrap(await modelResolver(() => config).resolve(name))
      expect(model).toMatchObject({ name, destination: expect.stringContaining(destination) })
    }
    const moved = { ...state, OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' }
    const model = unwrap(await modelResolver(() => readConfig(moved)).resolve('openai/gpt-5'))
    expect(model.endpoint()).toBe('http://127.0.0.1:9/v1/responses')
    const listed = await box.run(['models'], { env: { ANTHROPIC_API_KEY: 'secret-of-mine' } })
    expect(listed.stdout).toContain('anthropic/')
    expect(listed.stdout + listed.stderr).not.toContain('secret-of-mine')
  },
)

verifies(
  'CONTRACT §9 models',
  'models: what the base URL offers, what runs on this machine, and the default',
  async () => {
    const model = await fakeModel([])
    const box = sandbox()
    const env = {
      FILEWRIGHT_BASE_URL: model.baseUrl,
      FILEWRIGHT_MODEL: 'fake',
      OLLAMA_HOST: await listenAsOllama(),
    }
    const listed = await box.run(['models'], { env })
    expect(listed.code).toBe(0)
    expect(listed.stdout).toContain('fake  (the default')
    expect(listed.stdout).toContain(`fake  (at ${model.baseUrl})`)
    expect(listed.stdout).toContain('ollama/small-model  (runs on this machine)')
    const json = JSON.parse((await box.run(['models', '--json'], { env })).stdout)
    expect(json).toMatchObject({ default: 'fake', atBaseUrl: ['fake'], providersWithKeys: [] })
    const bare = await box.run(['models'])
    expect(bare.stdout).toContain('scripted/demo')
  },
)

/** Not at Ollama's own port: other tests that run now would find it there. */
async function listenAsOllama(): Promise<string> {
  const server = createServer((_, response) => response.end('{"data":[{"id":"small-model"}]}'))
  onTestFinished(() => void server.close())
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}
