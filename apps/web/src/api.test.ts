import type { DraftSummary, Result, WorkspaceSummary } from '@filewright/protocol'
import { afterEach, expect, expectTypeOf, test, vi } from 'vitest'
import { createApi } from './api.ts'

afterEach(() => vi.unstubAllGlobals())

/** The page's way to a server that answers like this. */
function apiTo(fetch: (request: Request) => Promise<Response>) {
  vi.stubGlobal('location', { origin: 'http://localhost:4680' })
  vi.stubGlobal('fetch', fetch)
  return createApi('secret')
}

const params = { workspaceId: 'ws_1' }

test('the page asks the routes of the table, and has their types', async () => {
  const asked: string[] = []
  const api = apiTo(async ({ method, url }) => {
    asked.push(`${method} ${url}`)
    return Response.json([])
  })
  const drafts = await api.call('listDrafts', { params, query: { state: 'open' } })
  expectTypeOf(drafts).toEqualTypeOf<Result<readonly DraftSummary[]>>()
  expectTypeOf(api.call<'getWorkspace'>).returns.resolves.toEqualTypeOf<Result<WorkspaceSummary>>()
  expect(drafts).toEqual({ ok: true, value: [] })
  expect(asked).toEqual(['GET http://localhost:4680/api/workspaces/ws_1/drafts?state=open'])

  // @ts-expect-error -- a misspelt field
  await api.call('undo', { params, body: { draft: 'drf_1' } })
})

test('a server that is gone is a failure, which says whether something may have been done', async () => {
  const api = apiTo(() => Promise.reject(new TypeError('Failed to fetch')))
  expect(await api.call('listDrafts', { params })).toMatchObject({
    failure: { code: 'SERVER_GONE', message: expect.stringContaining('does not answer') },
  })
  expect(await api.call('publish', { params, body: {} })).toMatchObject({
    failure: { code: 'SERVER_GONE', message: expect.stringContaining('may not have been done') },
  })
})

test('an unknown token is distinguished from other refusals', async () => {
  const refuse = (status: number) => async () =>
    Response.json(
      { success: false, errorCode: 'DENIED', kind: 'denied', message: 'No.' },
      { status },
    )
  expect(await apiTo(refuse(401)).call('listWorkspaces')).toMatchObject({
    failure: { code: 'TOKEN_REFUSED' },
  })
  expect(await apiTo(refuse(403)).call('listWorkspaces')).toMatchObject({
    failure: { code: 'DENIED', message: 'No.' },
  })
})
