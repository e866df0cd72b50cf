import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { type Embedded, embedded, TOKEN } from '../embedded.ts'
import { bodies, recorder, runTo, says, untilEnded } from '../loop/running.ts'

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const PNG = 'image/png'

test('a picture that comes with a message reaches a model that sees; the log names it by its hash', async () => {
  const { requests, product } = await prepare({ seesImages: true })
  const image = await put(product, PIXEL)
  await send(product, { images: [image] })
  const { rows } = await untilEnded(product)
  const told = requests[0]!.messages.findLast(({ role }) => role === 'user')
  expect(told).toMatchObject({ images: [{ mediaType: PNG, base64: PIXEL.toString('base64') }] })
  expect(bodies(rows, 'user_message')[0]).toMatchObject({ images: [image] })
  expect(bodies(rows, 'notice')).toEqual([])
  expect(JSON.stringify(rows)).not.toContain(PIXEL.toString('base64').slice(0, 40))

  await runTo(product, 'And now?')
  expect(requests[1]!.messages[0]).toEqual(requests[0]!.messages[0]) // so that a prefix cache holds
})

test('for a model that does not see, the model and the person are told, once', async () => {
  const { requests, product } = await prepare({ seesImages: false })
  await send(product, { images: [await put(product, PIXEL)] })
  await untilEnded(product)
  const { rows } = await runTo(product, 'And now?')
  const told = requests[0]!.messages.findLast(({ role }) => role === 'user')
  expect(told).not.toHaveProperty('images.0')
  expect(told!.text).toContain('A picture comes with this message, and you do not see pictures')
  expect(bodies(rows, 'notice').map(({ message }) => message)).toEqual([
    expect.stringContaining('The picture of your message was not sent'),
  ])
})

test('a picture that comes while a run is under way goes along with its message', async () => {
  let goOn = () => {}
  const held = new Promise<void>(resolve => (goOn = resolve))
  const { requests, product } = await prepare({ seesImages: true }, () => held)
  await send(product, {})
  await expect.poll(() => requests.length).toBe(1)
  const image = await put(product, PIXEL)
  expect((await send(product, { images: [image] })).value).toMatchObject({ steered: true })
  goOn()
  await untilEnded(product)
  const seen = requests.at(-1)!.messages.filter(message => 'images' in message && message.images)
  expect(seen).toHaveLength(1)
})

test('what no model takes is refused before it is kept', async () => {
  const { product, requests } = await prepare({ seesImages: true })
  const wide = Buffer.from(PIXEL)
  wide.writeUInt32BE(8_001, 16)
  const images = {
    'has no bytes': { sha256: sha256Of(Buffer.from('elsewhere')), mediaType: PNG },
    'of no PNG': await put(product, Buffer.from('<svg/>')),
    'it is image/png, not image/gif': { ...(await put(product, PIXEL)), mediaType: 'image/gif' },
    '8001 × 1 pixels': await put(product, wide),
    bytes: await put(product, Buffer.concat([PIXEL, Buffer.alloc(4 << 20)])),
    images: { ...(await put(product, PIXEL)), mediaType: 'image/tiff' },
  }
  for (const [why, image] of Object.entries(images)) {
    const { value } = await send(product, { images: [image] })
    expect(value).toMatchObject({ kind: expect.stringMatching(/invalid|missing/) })
    expect(value.message).toContain(why)
  }
  const image = await put(product, PIXEL)
  const many = await send(product, { images: Array.from({ length: 9 }, () => image) })
  expect(many.value).toMatchObject({ kind: 'invalid' })
  expect(requests).toEqual([])
})

async function prepare(facts: { readonly seesImages: boolean }, before?: () => Promise<void>) {
  const { model, requests } = recorder([says('A dot.'), says('Still.')], {
    ...(before && { before }),
  })
  const seeing = { ...model, facts: { ...model.facts, ...facts } }
  return { requests, product: await embedded({}, { model: seeing }) }
}

interface Image {
  readonly sha256: string
  readonly mediaType: string
}

function send(product: Embedded, more: { readonly images?: readonly Image[] }) {
  const { sessionId } = product
  return product.ask('sendMessage', { params: { sessionId }, body: { text: 'Look.', ...more } })
}

async function put({ server, workspaceId }: Embedded, bytes: Buffer): Promise<Image> {
  const sha256 = sha256Of(bytes)
  const url = `http://localhost/api/workspaces/${workspaceId}/blobs/${sha256}`
  const headers = { authorization: `Bearer ${TOKEN}` }
  const body = new Uint8Array(bytes)
  const stored = await server.fetch(new Request(url, { method: 'PUT', headers, body }))
  expect(stored.status).toBe(200)
  return { sha256, mediaType: PNG }
}

function sha256Of(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
