import { expect } from 'vitest'
import { embedded } from '../embedded.ts'
import { bodies, call, recorder, runTo, says } from '../loop/running.ts'
import { verifies } from '../verifies.ts'

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const steps = [says('', call('read_file', { path: 'dot.png' })), says('It is a dot.')]

verifies(
  ['CONTRACT §4 read_file image to a model that sees', 'CONTRACT §4 read_file image'],
  'a picture reaches a model that sees; the log names it by its hash',
  async () => {
    const { model, requests } = recorder(steps)
    const seeing = { ...model, facts: { ...model.facts, seesImages: true } }
    const product = await embedded({ 'dot.png': PIXEL }, { model: seeing })
    const { rows } = await runTo(product, 'What is it?')
    const [result] = bodies(rows, 'tool_result')
    expect(result).toMatchObject({ success: true, images: [{ mediaType: 'image/png' }] })
    expect(result!.content).toContain('png image, 1 × 1 pixels')
    const told = requests[1]!.messages.find(message => message.role === 'tool')
    expect(told).toMatchObject({ images: [{ mediaType: 'image/png' }] })
    const [picture] = told?.images ?? []
    expect(Buffer.from(picture!.base64, 'base64').subarray(1, 4).toString()).toBe('PNG')
    expect(JSON.stringify(rows)).not.toContain(picture!.base64.slice(0, 40))
  },
)

verifies(
  'CONTRACT §4 read_file image to a model that sees',
  'a model that does not see gets a sentence that says so, with kind and size',
  async () => {
    const { model, requests } = recorder(steps)
    const product = await embedded({ 'dot.png': PIXEL }, { model })
    await runTo(product, 'What is it?')
    const told = requests[1]!.messages.find(message => message.role === 'tool')
    expect(told).not.toHaveProperty('images.0')
    expect(told).toMatchObject({ text: expect.stringContaining('you do not see pictures') })
    expect(told).toMatchObject({ text: expect.stringContaining('1 × 1 pixels') })
  },
)
