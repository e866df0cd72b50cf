import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sandbox } from '../cli.ts'
import { fakeModel } from '../fake-model.ts'
import { verifies } from '../verifies.ts'

const LISTING = { text: '', calls: [{ name: 'list_files', arguments: {} }] }

verifies(
  'CONTRACT §9 models set',
  'models set, show and unset: sizes, prices and effort levels of a model',
  async () => {
    const box = sandbox()
    const set = ['--context', '8192', '--output', '1024', '--effort-levels', 'low,high']
    const prices = ['--input-price', '1', '--output-price', '2']
    expect((await box.run(['models', 'set', 'fake', ...set])).code).toBe(0)
    expect((await box.run(['models', 'set', 'fake', ...prices])).stderr).toContain(
      'fake: context 8192 tokens · output 1024 · $1 in, $2 out per million tokens · effort low, high.',
    )
    expect(statSync(join(box.state, 'models.json')).mode & 0o777).toBe(0o600)
    expect((await box.run(['models', 'show', 'fake'])).stdout).toMatch(/^set by you +context 8192/)
    expect((await box.run(['models', 'show', 'claude-opus-5'])).stdout).toMatch(
      /^table, 2026-\d\d-\d\d +context 1000000 .* effort low, medium, high, xhigh, max$/m,
    )
    expect((await box.run(['models', 'unset', 'fake'])).code).toBe(0)
    expect((await box.run(['models', 'unset', 'fake'])).code).toBe(3)
    expect((await box.run(['models', 'set', 'fake'])).code).toBe(2)
    expect((await box.run(['models', 'set', 'fake', '--context', 'many'])).code).toBe(2)
    const half = await box.run(['models', 'set', 'fake', '--input-price', '1'])
    expect(half.stderr).toContain('a price needs both')
  },
)

verifies(
  ['CONTRACT §9 run --budget-dollars', 'CONTRACT §7 limit prices'],
  'a budget in dollars stops the run at that spend, by the price that the person set',
  async () => {
    const model = await fakeModel(Array.from({ length: 5 }, () => LISTING))
    const box = sandbox({ 'a.txt': 'a' })
    const env = { FILEWRIGHT_BASE_URL: model.baseUrl, FILEWRIGHT_MODEL: 'fake' }
    await box.run(['models', 'set', 'fake', '--input-price', '1000', '--output-price', '10000'])
    const ran = await box.run(['run', 'Go.', '--budget-dollars', '3'], { env })
    expect(ran.stderr).toMatch(/budget of \$3: \$4\.0000 was spent/)
    expect(ran.code).toBe(6)
    expect(model.requests).toHaveLength(2) // $2 each
  },
)

verifies(
  'CONTRACT §9 run --effort',
  "run --effort takes one of the model's own levels, and names them otherwise",
  async () => {
    const model = await fakeModel([{ text: 'Hello.' }])
    const box = sandbox()
    const env = { FILEWRIGHT_BASE_URL: model.baseUrl, FILEWRIGHT_MODEL: 'fake' }
    await box.run(['models', 'set', 'fake', '--effort-levels', 'low,high'])
    const refused = await box.run(['run', 'Hi.', '--effort', 'extreme'], { env })
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain(
      'Cannot run fake with effort "extreme": its levels are low, high.',
    )
    expect((await box.run(['run', 'Hi.', '--effort', 'high'], { env })).code).toBe(0)
    expect(model.requests).toMatchObject([{ reasoning_effort: 'high' }])
  },
)

test('a window that the person set is the one that runs keep to', async () => {
  const model = await fakeModel([LISTING, LISTING])
  const box = sandbox()
  const env = { FILEWRIGHT_BASE_URL: model.baseUrl, FILEWRIGHT_MODEL: 'fake' }
  await box.run(['models', 'set', 'fake', '--context', '500'])
  const ran = await box.run(['run', 'Hi.'], { env })
  expect(ran.stderr).toContain('it holds 500 tokens')
})
