import { expect, test } from 'vitest'
import {
  createClient,
  FilewrightError,
  type SessionEvent,
} from '../../packages/client-sdk/src/index.ts'
import { served } from '../client/served.ts'

async function connected() {
  const server = await served()
  const filewright = createClient({ url: server.origin, token: server.token })
  const { value } = await server.ask('attachWorkspace', { body: { key: 'own', name: 'own' } })
  const { workspaceId } = value
  const { sessionId } = await filewright.createSession({ workspaceId })
  return { server, filewright, at: { workspaceId, sessionId } }
}

test('a stream that breaks goes on behind the last row: nothing is missed, nothing comes twice', async () => {
  const { server, filewright, at } = await connected()
  const stop = new AbortController()
  const rows: number[] = []
  const until = async (events: AsyncGenerator<SessionEvent>, seq: number) => {
    while (rows.at(-1) !== seq) {
      const { value } = await events.next()
      if (value?.type === 'row') rows.push(value.cursor)
    }
  }
  const events = filewright.events(at, { signal: stop.signal })
  await filewright.clear(at)
  const { last: first } = await filewright.log(at)
  await until(events, first)
  server.cut()
  await server.ask('clear', { params: at })
  const { last } = await filewright.log(at)
  expect(last).toBeGreaterThan(first)
  await until(events, last)
  expect(rows).toEqual(Array.from({ length: last }, (_, index) => index + 1))
  stop.abort()
  expect(await events.next()).toMatchObject({ done: true })
  expect(server.requests.filter(each => each.includes(`/events?after=${first}`))).toHaveLength(1)
})

test('a refusal is an error with its kind and its hints; also of a stream', async () => {
  const { filewright, at } = await connected()
  const { last } = await filewright.log(at)
  await expect(filewright.events({ ...at, after: 999 }).next()).rejects.toMatchObject({
    name: 'FilewrightError',
    status: 400,
    kind: 'invalid',
    details: { last },
  })
  await expect(filewright.getSession({ ...at, sessionId: 'ses_none' })).rejects.toMatchObject({
    status: 404,
    code: 'NOT_FOUND',
    kind: 'missing',
  })
  const misspelt = { ...at, limt: 5 }
  await expect(filewright.log(misspelt)).rejects.toThrow('has no field "limt"')
  const misplaced = { ...at, titel: 'x' }
  await expect(filewright.updateSession(misplaced)).rejects.toThrow('has no field "titel"')
  await expect(filewright.getSession({ ...at, sessionId: '' })).rejects.toBeInstanceOf(
    FilewrightError,
  )
  await expect(filewright.events({ ...at, sessionId: '' }).next()).rejects.toThrow('"sessionId"')
})

test('what is in no address cannot leave it: an id is one step of the path', async () => {
  const asked: string[] = []
  const filewright = createClient({
    url: 'http://127.0.0.1:4680/?token=secret',
    fetch: async (url, init) => {
      asked.push(`${url} ${new Headers(init.headers).get('authorization')}`)
      return Response.json({})
    },
  })
  await filewright.getWorkspace({ workspaceId: '../tools?x#y' })
  expect(asked).toEqual(['http://127.0.0.1:4680/api/workspaces/..%2Ftools%3Fx%23y Bearer secret'])
})
