import { createHash } from 'node:crypto'
import type { Model, ModelRequest } from '@filewright/loop'
import { RIGHTS, type TokenLimits, unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { type Embedded, embedded, TOKEN } from '../embedded.ts'
import { call, recorder, says, untilEnded } from '../loop/running.ts'
import { startIsolated } from './personas.ts'

async function limited({ server, workspaceId }: Embedded, limits: TokenLimits) {
  const body = { name: 'limited', rights: RIGHTS, workspaces: [workspaceId], limits }
  const { token, tokenId } = unwrap(await server.handle(TOKEN, 'createToken', { body }))
  return {
    async used() {
      const { tokens } = unwrap(await server.handle(TOKEN, 'listTokens'))
      return tokens.find(each => each.tokenId === tokenId)!.used
    },
    send: (sessionId: string, more: object = {}) =>
      server.handle(token, 'sendMessage', {
        params: { workspaceId, sessionId },
        body: { text: 'Go.', ...more },
      }),
    put: (path: string, bytes: Uint8Array) =>
      server.handle(token, 'putContent', { params: { workspaceId }, query: { path }, bytes }),
    putBlob: (bytes: Uint8Array, name: Uint8Array = bytes) => {
      const sha256 = createHash('sha256').update(name).digest('hex')
      return server.handle(token, 'putBlob', { params: { workspaceId, sha256 }, bytes })
    },
    unsaved: (sessionId: string, buffer: string) =>
      server.handle(token, 'addActiveFile', {
        params: { workspaceId, sessionId },
        body: { path: 'a.txt', buffer },
      }),
  }
}

const reached = (about: string) => ({
  ok: false,
  failure: { code: 'LIMIT_REACHED', kind: 'limit', message: expect.stringContaining(about) },
})

test('a token that asks too often is told when to ask again, and others are not', async () => {
  const { ask, tokenOf, pass, server } = await startIsolated()
  const all = { rights: ['read'], workspaces: 'all' } as const
  const often = (await tokenOf({ ...all, name: 'often', limits: { requestsPerMinute: 3 } })).token
  const free = (await tokenOf({ ...all, name: 'free' })).token
  for (let n = 0; n < 3; n++) expect((await ask('health', often)).status).toBe(200)
  const refused = await ask('health', often)
  expect(refused.status).toBe(429)
  expect(refused.headers.get('retry-after')).toBe('20')
  expect(refused.value).toMatchObject({ errorCode: 'LIMIT_REACHED', retryAfterSeconds: 20 })
  expect(await server.handle(often, 'health')).toMatchObject(reached('3 times a minute'))
  for (let n = 0; n < 20; n++) expect((await ask('health', free)).status).toBe(200)
  pass(20_000)
  expect((await ask('health', often)).status).toBe(200)
  expect((await ask('health', often)).status).toBe(429)
  pass(600_000)
  for (let n = 0; n < 3; n++) expect((await ask('health', often)).status).toBe(200)
  expect((await ask('health', often)).status).toBe(429)
})

describe('runs', () => {
  test('of a token are as many at one time as it may have; another ends, and the next begins', async () => {
    let open = () => {}
    const gate = new Promise<void>(resolve => {
      open = resolve
    })
    const { model } = recorder([says('One.'), says('Two.'), says('Three.')], { before: () => gate })
    const product = await embedded({}, { model })
    const token = await limited(product, { runs: 1 })
    const other = await product.newSession()
    const both = await Promise.all([token.send(product.sessionId), token.send(other)])
    expect(both.map(({ ok }) => ok).sort()).toEqual([false, true])
    const [started, waiting] = both[0].ok ? [product.sessionId, other] : [other, product.sessionId]
    expect(await token.send(waiting)).toMatchObject(reached('1 at one time'))
    expect(await token.send(started)).toMatchObject({ ok: true, value: { steered: true } })
    open()
    await untilEnded(product, started)
    expect(await token.send(waiting)).toMatchObject({ ok: true })
    await untilEnded(product, waiting)
  })

  test('of a token use no more of models in a month than it may, and the log says whose they are', async () => {
    const usage = { inputTokens: 600, outputTokens: 100, cost: 0.25 }
    const { model } = recorder([says('One.'), says('Two.')])
    const product = await embedded({}, { model: { ...model, stream } })
    async function* stream(request: ModelRequest): ReturnType<Model['stream']> {
      for await (const event of model.stream(request))
        yield event.type === 'usage' ? { ...event, usage } : event
    }
    const token = await limited(product, { modelTokens: 1_000, dollars: 1 })
    expect(await token.used()).toEqual({ modelTokens: 0, dollars: 0, storageBytes: 0 })
    unwrap(await token.send(product.sessionId, { budget: { tokens: 5_000, dollars: 0.5 } }))
    const { rows } = await untilEnded(product)
    expect(rows.find(({ type }) => type === 'run-start')!.body).toMatchObject({
      limits: { budgetTokens: 1_000, budgetDollars: 0.5 },
      token_id: expect.stringMatching(/^tok_/),
    })
    expect((await token.used())!.modelTokens).toBe(700)
    unwrap(await token.send(product.sessionId))
    const second = (await untilEnded(product)).rows.findLast(({ type }) => type === 'run-start')
    expect(second!.body).toMatchObject({ limits: { budgetTokens: 300 } })
    expect((await token.used())!.modelTokens).toBe(1_400)
    const refused = await token.send(product.sessionId)
    expect(refused).toMatchObject(reached('this month'))
    if (refused.ok) throw new Error('it was not refused')
    const { retryAfterSeconds } = refused.failure.details as { retryAfterSeconds: number }
    expect(retryAfterSeconds).toBeGreaterThan(0)
    expect(retryAfterSeconds).toBeLessThanOrEqual(31 * 24 * 3600)
  })

  test('of a token at one time share its month, and nobody adds to them when it is used up', async () => {
    const STEP = 700
    const usage = { inputTokens: 600, outputTokens: 100 }
    const write = (n: number) => call('write_text_file', { path: `${n}.txt`, content: `${n}\n` })
    const { model } = recorder(Array.from({ length: 40 }, (_, n) => says('Next.', write(n))))
    const product = await embedded({}, { model: { ...model, stream } })
    const late: unknown[] = []
    async function* stream(request: ModelRequest): ReturnType<Model['stream']> {
      const { modelTokens } = (await token.used())!
      if (modelTokens >= MOST) for (const id of sessions) late.push(await token.send(id))
      for await (const event of model.stream(request))
        yield event.type === 'usage' ? { ...event, usage } : event
    }
    const MOST = 7_000
    const token = await limited(product, { modelTokens: MOST })
    const sessions = [product.sessionId, await product.newSession(), await product.newSession()]
    await Promise.all(sessions.map(async id => unwrap(await token.send(id))))
    const ends = await Promise.all(sessions.map(async id => (await untilEnded(product, id)).end))
    const { modelTokens } = (await token.used())!
    expect(modelTokens).toBeGreaterThanOrEqual(MOST)
    expect(modelTokens).toBeLessThanOrEqual(MOST + 2 * sessions.length * STEP)
    expect(ends.map(({ reason }) => reason)).toContain('cancelled')
    for (const sent of [...late, await token.send(product.sessionId)])
      expect(sent).toMatchObject(reached('this month'))
  })

  test('of the owner are not counted', async () => {
    const { model } = recorder([says('One.')])
    const product = await embedded({}, { model })
    await product.ask('sendMessage', {
      params: { sessionId: product.sessionId },
      body: { text: 'Go.' },
    })
    const { rows } = await untilEnded(product)
    expect(rows.find(({ type }) => type === 'run-start')!.body).not.toHaveProperty('token_id')
  })
})

test('a token stores as many bytes as it may, however they come', async () => {
  const product = await embedded({ 'a.txt': 'a\n' })
  const token = await limited(product, { storageBytes: 100 })
  unwrap(await token.put('b.txt', Buffer.alloc(40, 'b')))
  unwrap(await token.putBlob(Buffer.alloc(30, 'c')))
  unwrap(await token.unsaved(product.sessionId, 'd'.repeat(20)))
  expect(await token.used()).toMatchObject({ storageBytes: 90 })
  expect(await token.put('e.txt', Buffer.alloc(11, 'e'))).toMatchObject(reached('100 bytes'))
  expect(await token.putBlob(Buffer.alloc(11, 'e'))).toMatchObject(reached('90 are used'))
  expect(await token.unsaved(product.sessionId, 'e'.repeat(11))).toMatchObject(reached('100 bytes'))
  expect(() => product.read('e.txt')).toThrow()
  expect(await token.used()).toMatchObject({ storageBytes: 90 })
  unwrap(await token.put('f.txt', Buffer.alloc(10, 'f')))
  expect(product.read('f.txt')).toBe('f'.repeat(10))
})

test('bytes that come at once find no room twice, and what was not stored is given back', async () => {
  const product = await embedded({})
  const token = await limited(product, { storageBytes: 100 })
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) => token.put(`${n}.txt`, Buffer.alloc(30, `${n}`))),
  )
  const stored = answers.filter(({ ok }) => ok).length
  expect([1, 2, 3]).toContain(stored)
  expect(await token.used()).toMatchObject({ storageBytes: stored * 30 })
  const damaged = await token.putBlob(Buffer.from('sent'), Buffer.from('meant'))
  expect(damaged).toMatchObject({ ok: false, failure: { code: 'HASH_MISMATCH' } })
  expect(await token.used()).toMatchObject({ storageBytes: stored * 30 })
})
