import { routePath } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { OWNER, startIsolated } from './personas.ts'

const MB = 1024 * 1024
const PIECE = new Uint8Array(MB).fill(0x61)

/** A call with a text of that size, sent piece by piece, and how much of it was taken. */
function sending(url: string, token: string, megabytes: number, onTaken: (taken: number) => void) {
  const head = new TextEncoder().encode('{"tool":"list_files","arguments":{"text":"')
  let taken = 0
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        await new Promise(resolve => setTimeout(resolve, 1))
        onTaken(++taken)
        if (taken === 1) controller.enqueue(head)
        else if (taken <= megabytes + 1) controller.enqueue(PIECE)
        else {
          controller.enqueue(new TextEncoder().encode('"}}'))
          controller.close()
        }
      },
    },
    { highWaterMark: 0 },
  )
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return new Request(url, { method: 'POST', headers, body, duplex: 'half' } as RequestInit)
}

async function place() {
  const isolated = await startIsolated()
  const workspaceId = await isolated.workspaceOf('here')
  const { value } = await isolated.ask('createSession', OWNER, { params: { workspaceId } })
  const params = { workspaceId, sessionId: value.sessionId }
  return { ...isolated, workspaceId, url: `http://localhost${routePath('callTool', params)}` }
}

test('a token that may not write has no large body read', async () => {
  const { server, tokenOf, workspaceId, url } = await place()
  const { token } = await tokenOf({ name: 'r', rights: ['read'], workspaces: [workspaceId] })
  let most = 0
  const sent = sending(url, token, 60, taken => {
    most = Math.max(most, taken)
  })
  expect((await server.fetch(sent)).status).toBe(413)
  expect(most).toBeLessThanOrEqual(6)
})

test('of one token one large body is held at a time, and each is answered', async () => {
  const { server, tokenOf, workspaceId, url } = await place()
  const { token } = await tokenOf({ name: 'e', rights: ['edit'], workspaces: [workspaceId] })
  const taken = Array.from({ length: 6 }, () => 0)
  let most = 0
  const note = (at: number, now: number) => {
    taken[at] = now
    most = Math.max(most, taken.filter(count => count > 6 && count < 22).length)
  }
  const statuses = await Promise.all(
    taken.map(async (_, at) => {
      const response = await server.fetch(sending(url, token, 20, now => note(at, now)))
      return response.status
    }),
  )
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect(most).toBe(1)
})
