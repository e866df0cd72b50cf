import { describe, expect, expectTypeOf, test } from 'vitest'
import type { Published } from '../call/outcome.ts'
import type { Result } from '../words/result.ts'
import { createRouteClient } from './route-client.ts'

/** A client, and what it asked; every request is answered with this. */
function clientOf(answer: () => Response) {
  const asked: Request[] = []
  const fetch = async (request: Request) => {
    asked.push(request)
    return answer()
  }
  return { asked, ...createRouteClient({ fetch, origin: 'http://server', token: 'secret' }) }
}

describe('a call of a route', () => {
  test('carries its parameters, its query and the token', async () => {
    const { call, asked } = clientOf(() => Response.json({ items: [] }))
    const params = { workspaceId: 'ws_1' }
    await call('history', { params, query: { path: 'a b.txt', before: undefined } })
    const [{ url, method, headers }] = asked as [Request]
    expect({ url, method, token: headers.get('authorization') }).toEqual({
      url: 'http://server/api/workspaces/ws_1/history?path=a+b.txt',
      method: 'GET',
      token: 'Bearer secret',
    })
  })

  test('carries its body as JSON', async () => {
    const { call, asked } = clientOf(() => Response.json(null))
    const params = { workspaceId: 'ws_1', sessionId: 'ses_1' }
    expect(await call('cancel', { params, body: { by: 'anna' } })).toEqual({
      ok: true,
      value: null,
    })
    expect(asked[0]!.headers.get('content-type')).toBe('application/json')
    expect(await asked[0]!.json()).toEqual({ by: 'anna' })
  })

  test('that is refused is a failure with the details', async () => {
    const refusal = {
      success: false,
      errorCode: 'CONFLICT',
      kind: 'conflict',
      message: 'It moved.',
      errors: ['It moved.'],
      last: 7,
    }
    const { call } = clientOf(() => Response.json(refusal, { status: 409 }))
    expect(await call('listWorkspaces')).toEqual({
      ok: false,
      failure: {
        code: 'CONFLICT',
        kind: 'conflict',
        message: 'It moved.',
        errors: ['It moved.'],
        details: { last: 7 },
      },
    })
  })

  test('that a proxy refuses is a failure too', async () => {
    const { call } = clientOf(() => Response.json('busy', { status: 502 }))
    expect(await call('health')).toMatchObject({
      failure: { code: 'HTTP_502', message: 'The server answered with 502.' },
    })
  })

  test('throws when no answer comes', async () => {
    const { call } = clientOf(() => {
      throw new TypeError('fetch failed')
    })
    await expect(call('health')).rejects.toThrow('fetch failed')
  })
})

test('bytes are sent unchanged', async () => {
  const { open, asked } = clientOf(() => Response.json({}))
  await open('putBlob', {
    params: { workspaceId: 'ws_1', sha256: 'a'.repeat(64) },
    bytes: new Uint8Array([1, 2]),
    headers: { 'upload-offset': '0' },
  })
  const [{ method, headers }] = asked as [Request]
  expect([method, headers.get('content-type'), headers.get('upload-offset')]).toEqual([
    'PUT',
    'application/octet-stream',
    '0',
  ])
  expect(new Uint8Array(await asked[0]!.arrayBuffer())).toEqual(new Uint8Array([1, 2]))
})

test('a stream is requested as one', async () => {
  const { listen, asked } = clientOf(() => new Response(''))
  await listen('link', { params: { workspaceId: 'ws_1' } })
  expect(asked[0]!.headers.get('accept')).toBe('text/event-stream')
})

test('the table says what a route takes and answers', async () => {
  const { call, listen } = clientOf(() => Response.json({}))
  const params = { workspaceId: 'ws_1' }
  const published = await call('publish', { params, body: { draftId: 'drf_1', refused: [] } })
  expectTypeOf(published).toEqualTypeOf<Result<Published>>()

  const refusedByTheCompiler = [
    // @ts-expect-error -- its parameters are missing
    () => call('getWorkspace'),
    // @ts-expect-error -- a parameter of another route
    () => call('getWorkspace', { params: { sessionId: 'ses_1' } }),
    // @ts-expect-error -- a field that its body does not have
    () => call('publish', { params, body: { draft: 'drf_1' } }),
    // @ts-expect-error -- its query needs a path
    () => call('history', { params }),
    // @ts-expect-error -- a route that reads takes no body
    () => call('getWorkspace', { params, body: {} }),
    // @ts-expect-error -- a route without a query takes none
    () => call('getWorkspace', { params, query: { after: 'x' } }),
    // @ts-expect-error -- a stream is not called
    () => call('link', { params }),
    // @ts-expect-error -- what answers with JSON is no stream
    () => listen('publish', { params }),
  ]
  expect(refusedByTheCompiler).toHaveLength(8)
})
