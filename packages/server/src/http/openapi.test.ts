import { eventSchemas, ROUTES, type RouteName, routeInputs } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { toOpenApi } from './openapi.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever is described
type Described = any

const document = toOpenApi('1.2.3')
const text = JSON.stringify(document)
const operations = Object.values(document.paths).flatMap(path => Object.values(path as object))

test('every route is an operation, with its answer, its refusals and its failures', () => {
  expect(operations.map(({ operationId }) => operationId).sort()).toEqual(
    Object.keys(ROUTES).sort(),
  )
  for (const { operationId, responses } of operations)
    expect(Object.keys(responses), operationId).toEqual(
      expect.arrayContaining(['200', '401', '4XX', '5XX']),
    )
})

test('an operation names the right that its token needs', () => {
  const rightOf = (name: RouteName) => {
    const { 'x-right': right, 'x-workspaces': workspaces } = operations.find(
      ({ operationId }) => operationId === name,
    )
    return [right, workspaces]
  }
  expect(rightOf('review')).toEqual(['read', undefined])
  expect(rightOf('publish')).toEqual(['approve', undefined])
  expect(rightOf('createWorkspace')).toEqual(['admin', 'all'])
  expect(rightOf('openFolder')).toEqual(['owner', undefined])
})

test('every reference leads somewhere, and every named schema is referred to', () => {
  const references = new Set([...text.matchAll(/"#\/components\/(\w+\/\w+)"/g)].map(([, to]) => to))
  const { schemas, responses } = document.components as Record<string, object>
  const named = [
    ...Object.keys(schemas!).map(name => `schemas/${name}`),
    ...Object.keys(responses!).map(name => `responses/${name}`),
  ]
  expect([...references].sort()).toEqual(named.sort())
})

test('a stream describes each kind of event, and each type of row with its fields', () => {
  const { content } = operations.find(({ operationId }) => operationId === 'events').responses[200]
  expect(content['text/event-stream'].schema).toEqual({ $ref: '#/components/schemas/SessionEvent' })
  const { schemas } = document.components as { schemas: Record<string, Described> }
  const kinds = schemas.SessionEvent.anyOf.map((each: Described) => each.properties.type)
  expect(JSON.stringify(kinds)).toContain('run-lost')
  expect(schemas.LogRow.properties.body.oneOf).toContainEqual({
    $ref: '#/components/schemas/RunEndBody',
  })
  expect(Object.keys(schemas.RunEndBody.properties)).toContain('closing')
})

test('an event with a row whose body lacks a field does not fit', () => {
  const row = { sessionId: 's', seq: 1, conversationId: 'c', type: 'cancel', time: 't' }
  const event = (body: object) => ({ type: 'row', cursor: 1, row: { ...row, body } })
  const { events } = eventSchemas()
  expect(events.safeParse(event({ type: 'cancel', by: 'anna' })).success).toBe(true)
  expect(events.safeParse(event({ type: 'cancel' })).success).toBe(false)
})

test('no route takes a token in its address', () => {
  for (const name of Object.keys(ROUTES) as RouteName[])
    expect(Object.keys(routeInputs(name).query?.shape ?? {}), name).not.toContain('token')
  expect(document.servers).toMatchObject([{ url: '/' }, { url: 'http://127.0.0.1:{port}' }])
})
