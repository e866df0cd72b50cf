import { describe, expect, test } from 'vitest'
import { ROUTES, type Route, type RouteName, routePath } from './api.ts'

const routes = Object.entries(ROUTES) as [RouteName, Route][]

describe('the routes', () => {
  test('are each one method on one path', () => {
    const seen = routes.map(([, { method, path }]) => `${method} ${path.replace(/:\w+/g, ':')}`)
    expect(new Set(seen).size).toBe(seen.length)
  })

  test('that only read have no body', () => {
    for (const [name, { method, body }] of routes)
      if (method === 'GET' || method === 'HEAD') expect(body, name).toBeUndefined()
  })

  test('that change something by POST say what they take', () => {
    for (const [name, { method, body }] of routes)
      if (method === 'POST') expect(body, name).toBeDefined()
  })

  test('of one workspace are below it', () => {
    for (const [name, { path }] of routes)
      if (path.includes(':sessionId')) expect(path, name).toMatch(/^\/workspaces\/:workspaceId\//)
  })
})

describe('the path of a route', () => {
  test('stands under /api with its parameters filled in', () => {
    expect(routePath('health')).toBe('/api/health')
    expect(routePath('decide', { workspaceId: 'ws_1', approvalId: 'apr_2' })).toBe(
      '/api/workspaces/ws_1/approvals/apr_2',
    )
  })

  test('cannot be broken out of by a parameter', () => {
    expect(routePath('getWorkspace', { workspaceId: '../tools?x#y' })).toBe(
      '/api/workspaces/..%2Ftools%3Fx%23y',
    )
  })
})
