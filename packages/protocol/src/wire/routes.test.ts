import { describe, expect, test } from 'vitest'
import { routeFields } from './route-fields.ts'
import { routeInputs } from './route-inputs.ts'
import { ROUTES, type RouteName, routeMethod, routePath, routeTemplate } from './routes.ts'

const names = Object.keys(ROUTES) as RouteName[]

describe('the routes', () => {
  test('are each one method on one path', () => {
    const seen = names.map(name => ROUTES[name].replace(/:\w+/g, ':'))
    expect(new Set(seen).size).toBe(seen.length)
  })

  test('that only read have no body', () => {
    for (const name of names)
      if (['GET', 'HEAD'].includes(routeMethod(name)))
        expect(routeInputs(name).body, name).toBeUndefined()
  })

  test('that change something by POST say what they take', () => {
    for (const name of names)
      if (routeMethod(name) === 'POST') expect(routeInputs(name).body, name).toBeDefined()
  })

  test('of one workspace are below it', () => {
    for (const name of names)
      if (routeTemplate(name).includes(':sessionId'))
        expect(routeTemplate(name), name).toMatch(/^\/workspaces\/:workspaceId\//)
  })
})

test('what a route takes has one name each, wherever it goes', () => {
  for (const name of names) {
    const { params, query, body } = routeFields(name)
    const all = [...params, ...query, ...body]
    expect(new Set(all).size, name).toBe(all.length)
  }
  expect(routeFields('decide')).toEqual({
    params: ['workspaceId', 'approvalId'],
    query: [],
    body: ['decision', 'by', 'reason', 'refused', 'remember', 'unasked'],
  })
})

describe('the path of a route', () => {
  test('is under /api with its parameters filled in', () => {
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
