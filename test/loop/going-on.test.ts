import { describe, expect, test } from 'vitest'
import { type Embedded, embedded } from '../embedded.ts'
import { verifies } from '../verifies.ts'
import { bodies, call, recorder, rowsOf, runTo, says, send, until, untilEnded } from './running.ts'

const write = (path: string, content = `${path}\n`) => call('write_text_file', { path, content })

describe('a run that ended before the model was done', () => {
  verifies(
    ['CONTRACT §7 limit turns set'],
    'at the turns of its message goes on when asked to, with the same limit and nothing done twice',
    async () => {
      const { model, requests } = recorder([
        says('', write('a.txt')),
        says('', write('b.txt')),
        says('', write('c.txt')),
        says('Done.'),
      ])
      const product = await embedded({}, { model })
      const first = await runTo(product, 'Write three files.', { maxTurns: 2 })
      expect(first.end).toMatchObject({ reason: 'limit', message: expect.stringContaining('2') })
      expect(await stoppedBy(product)).toBe('limit')
      expect(await resume(product, {})).toBe(false) // a client that only connects again starts nothing
      expect(await resume(product, { goOn: true })).toBe(true)
      const { end, rows } = await untilEnded(product)
      expect(end.reason).toBe('final')
      expect(bodies(rows, 'run-start')[1]).toMatchObject({
        goes_on: first.end.run_id,
        limits: { turnsPerRun: 2 },
      })
      expect(bodies(rows, 'user_message')).toHaveLength(1)
      expect(requests.at(2)!.messages.at(-1)!.text).toContain('asks you to go on')
      expect(await stoppedBy(product)).toBeUndefined()
      expect(await resume(product, { goOn: true })).toBe(false)
    },
  )

  test('by a cancel goes on too, and with another model and limit', async () => {
    let goOn = () => {}
    const held = new Promise<void>(resolve => (goOn = resolve))
    const { model, requests } = recorder([says('', write('a.txt')), says('Done.')], {
      before: async () => (requests.length === 1 ? held : undefined),
    })
    const product = await embedded({}, { model })
    await send(product, 'Write it.')
    await expect.poll(() => requests.length).toBe(1)
    await product.ask('cancel', { params: { sessionId: product.sessionId } })
    goOn()
    const { end } = await untilEnded(product)
    expect(end.reason).toBe('cancelled')
    expect(await stoppedBy(product)).toBe('cancelled')
    await resume(product, { goOn: true, maxTurns: 7 })
    const last = await untilEnded(product)
    expect(last.end.reason).toBe('final')
    expect(bodies(last.rows, 'run-start')[1]).toMatchObject({ limits: { turnsPerRun: 7 } })
    expect(requests[1]!.messages.at(-1)!.text).toContain('The person cancelled that run.')
  })
})

describe('a message while a run is in progress', () => {
  test('waits, is seen, and can be taken back until the model is given it', async () => {
    let goOn = () => {}
    const held = new Promise<void>(resolve => (goOn = resolve))
    const { model, requests } = recorder([says('', write('a.txt')), says('Done.')], {
      before: async () => (requests.length === 1 ? held : undefined),
    })
    const product = await embedded({}, { model })
    await send(product, 'Write it.')
    await expect.poll(() => requests.length).toBe(1)
    const { messageId: first } = (await steer(product, 'In English.')).value
    const { messageId: second } = (await steer(product, 'No, in French.')).value
    expect(await queueOf(product)).toMatchObject([
      { messageId: first, text: 'In English.' },
      { messageId: second, text: 'No, in French.' },
    ])
    expect(await takeBack(product, first)).toMatchObject({
      status: 200,
      value: { text: 'In English.' },
    })
    expect(await takeBack(product, first)).toMatchObject({
      status: 404,
      value: { message: expect.stringContaining(`Waiting: ${second}`) },
    })
    goOn()
    const { rows } = await untilEnded(product)
    expect(bodies(rows, 'steer')).toMatchObject([{ text: 'No, in French.', message_id: second }])
    expect(await queueOf(product)).toEqual([])
    expect(await takeBack(product, second)).toMatchObject({ status: 404 })
    expect(JSON.stringify(requests.map(({ messages }) => messages))).not.toContain('In English.')
  })

  test('that is taken back at any moment is given to the model, or is not: never both, and no run is lost', async () => {
    for (let ticks = 0; ticks < 12; ticks++) {
      let goOn = () => {}
      const held = new Promise<void>(resolve => (goOn = resolve))
      const { model, requests } = recorder(
        [says('', call('read_file', { path: 'a.txt' })), says('Done.'), says('More.')],
        { before: async () => (requests.length === 1 ? held : undefined) },
      )
      const product = await embedded({ 'a.txt': 'a\n' }, { model })
      await send(product, 'Read it.')
      await expect.poll(() => requests.length).toBe(1)
      const { messageId } = (await steer(product, 'Be brief.')).value
      goOn()
      for (let tick = 0; tick < ticks; tick++) await new Promise(setImmediate)
      const { status } = await takeBack(product, messageId)
      await until(product, state => state === 'idle')
      const rows = await rowsOf(product)
      const given = JSON.stringify(requests.map(({ messages }) => messages)).includes('Be brief.')
      expect(given).toBe(status !== 200)
      expect(bodies(rows, 'run-end').every(({ reason }) => reason === 'final')).toBe(true)
    }
  })
})

describe('going back to an earlier message', () => {
  test('takes the unpublished changes of later calls out of the draft; what was published stays and is named', async () => {
    const { model, requests } = recorder([
      says('', write('kept.txt'), write('both.txt', 'one\n')),
      says('One.'),
      says('', write('new.txt'), write('both.txt', 'two\n')),
      says('Two.'),
      says('', call('file_operations', { operations: [{ op: 'delete', path: 'old.txt' }] })),
      says('Three.'),
    ])
    const product = await embedded({ 'old.txt': 'old\n' }, { model })
    await runTo(product, 'One.')
    const { rows } = await runTo(product, 'Two.')
    await runTo(product, 'Three.')
    const { seq } = rows.filter(({ type }) => type === 'user_message')[1]!
    const before = (await product.ask('listDrafts', { query: { state: 'open' } })).value[0]!
    expect(before.files.map(({ path }: { path: string }) => path).sort()).toEqual([
      ...['both.txt', 'kept.txt', 'new.txt', 'old.txt'],
    ])
    const { status, value } = await rewind(product, seq)
    expect({ status, value }).toMatchObject({
      status: 200,
      value: { withdrawn: ['new.txt', 'both.txt', 'old.txt'], written: [] },
    })
    const review = (await product.ask('review')).value
    expect(review.draft.files.map(({ path }: { path: string }) => path)).toEqual([
      ...['kept.txt', 'both.txt'],
    ])
    expect(review.draft.revision).toBeGreaterThan(before.revision)
    expect(JSON.stringify(review.changes)).toContain('one')
    expect(JSON.stringify(review.changes)).not.toContain('two')
    const sent = requests.length
    await runTo(product, 'Two, in other words.')
    const { messages, step } = requests[sent]!
    expect(step).toBe(2)
    expect(JSON.stringify(messages)).not.toContain('"Two."')
    expect(messages.at(-1)!.text).toContain('left the draft (new.txt, both.txt, old.txt)')
  })

  test('names what was written meanwhile, and leaves it', async () => {
    const { model, requests } = recorder([
      says('One.'),
      says('', write('a.txt'), write('b.txt')),
      says('Two.'),
      says('', write('c.txt')),
      says('Three.'),
    ])
    const product = await embedded({}, { model })
    await runTo(product, 'One.')
    const { rows } = await runTo(product, 'Two.')
    await product.ask('publish', { body: {} })
    await runTo(product, 'Three.')
    const { seq } = rows.filter(({ type }) => type === 'user_message')[1]!
    const { value } = await rewind(product, seq)
    expect(value).toMatchObject({ withdrawn: ['c.txt'], written: ['a.txt', 'b.txt'] })
    expect([product.read('a.txt'), product.read('b.txt')]).toEqual(['a.txt\n', 'b.txt\n'])
    expect((await product.ask('listDrafts', { query: { state: 'open' } })).value).toEqual([])
    const sent = requests.length
    await runTo(product, 'Two again.')
    expect(requests[sent]!.messages.at(-1)!.text).toContain('stay as they are now: a.txt, b.txt')
  })

  test('keeps what was published of a draft in parts, and takes out the rest of those calls', async () => {
    const edit = (from: string, to: string) =>
      call('edit_text_file', { path: 'a.txt', edits: [{ search: from, replace: to }] })
    const { model } = recorder([
      says('One.'),
      says('', edit('one', 'ONE'), edit('two', 'TWO')),
      says('Two.'),
    ])
    const text = Array.from({ length: 30 }, (_, line) => `line ${line}`)
    const product = await embedded(
      { 'a.txt': ['one', ...text, 'two', ...text, 'three', ''].join('\n') },
      { model },
    )
    await runTo(product, 'One.')
    const { rows } = await runTo(product, 'Two.')
    const { changes } = (await product.ask('review')).value
    expect(changes).toHaveLength(2)
    await product.ask('publish', { body: { only: [changes[0].id] } })
    const { seq } = rows.filter(({ type }) => type === 'user_message')[1]!
    const { status, value } = await rewind(product, seq)
    expect({ status, value }).toMatchObject({ status: 200, value: { written: ['a.txt'] } })
    expect(product.read('a.txt')).toMatch(/^ONE\n/)
    const review = await product.ask('review')
    expect(review.status === 404 || review.value.changes.length === 0).toBe(true)
    const published = await product.ask('publish', { body: {} })
    expect([200, 404]).toContain(published.status)
    expect(product.read('a.txt')).toContain('\ntwo\n')
  })

  test('is refused for a row that is no message, while a run is in progress, and without the client', async () => {
    let goOn = () => {}
    const held = new Promise<void>(resolve => (goOn = resolve))
    const { model, requests } = recorder([says('One.'), says('Two.')], {
      before: async () => (requests.length === 2 ? held : undefined),
    })
    const product = await embedded({}, { model })
    const { rows } = await runTo(product, 'One.')
    const { seq } = rows.find(({ type }) => type === 'user_message')!
    expect(await rewind(product, seq + 1)).toMatchObject({
      status: 400,
      value: { message: expect.stringContaining(`Those rows are ${seq}.`) },
    })
    await send(product, 'Two.')
    await expect.poll(() => requests.length).toBe(2)
    expect(await rewind(product, seq)).toMatchObject({ status: 409 })
    goOn()
    await untilEnded(product)
    await product.detach()
    expect(await rewind(product, seq)).toMatchObject({ status: 503 })
    expect(bodies(await rowsOf(product), 'rewind')).toEqual([])
  })
})

const inSession = (product: Embedded) => ({ sessionId: product.sessionId })

function rewind(product: Embedded, seq: number) {
  return product.ask('rewind', { params: inSession(product), body: { seq } })
}

async function resume(product: Embedded, body: object): Promise<boolean> {
  return (await product.ask('resume', { params: inSession(product), body })).value.resumed
}

async function stoppedBy(product: Embedded): Promise<string | undefined> {
  return (await product.ask('getSession', { params: inSession(product) })).value.stopped
}

function steer(product: Embedded, text: string) {
  return product.ask('sendMessage', { params: inSession(product), body: { text } })
}

async function queueOf(product: Embedded) {
  return (await product.ask('listQueue', { params: inSession(product) })).value.messages
}

function takeBack(product: Embedded, messageId: string) {
  return product.ask('takeBack', { params: { ...inSession(product), messageId } })
}
