import { createHash } from 'node:crypto'
import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Engine } from '@filewright/engine'
import {
  answerSchemas,
  failureSchema,
  type JsonRoute,
  ROUTE_DETAILS,
  ROUTES,
  type RouteName,
} from '@filewright/protocol'
import { expect, onTestFinished, test } from 'vitest'
import { serveSample } from '../browser/served.ts'
import { NOWHERE } from '../cli.ts'
import { type Answer, embedded } from '../embedded.ts'
import { newPlace } from '../hosted/held.ts'
import type { AskOptions } from '../links.ts'
import { recorder, runTo, says, untilEnded } from '../loop/running.ts'
import { startSharedStores, whyNoStores } from '../shared/shared-stores.ts'

const sha256Of = (text: string) => createHash('sha256').update(text).digest('hex')

/** A tool's own fields are in the catalog. */
const OWN_FIELDS: readonly string[] = ['callTool', 'getCall', 'decide']

/** Only a process that owns a state answers them. */
const OWNER_ROUTES = ['models', 'setModel', 'tryModel', 'openFolder', 'createWorkspace'] as const

/** Only where the files of workspaces are in a shared store. */
const HOSTED_ROUTES = ['renameWorkspace', 'deleteWorkspace'] as const

test('the routes of the owner answer as their schemas say', async () => {
  const served = await serveSample({ OLLAMA_HOST: NOWHERE })
  const schemas = answerSchemas()
  const given = {
    setModel: { model: 'demo' },
    tryModel: {},
    openFolder: {},
    createWorkspace: { name: 'Papers' },
  }
  for (const route of OWNER_ROUTES) {
    const value = await served.ask(route, route === 'models' ? undefined : given[route])
    const parsed = schemas[route].safeParse(value)
    expect(parsed, `${route} ${JSON.stringify(value)}`).toMatchObject({ success: true })
    expect(value).not.toHaveProperty('errorCode')
  }
})

test.skipIf(whyNoStores)(
  'the routes of a hosted workspace answer as their schemas say',
  async () => {
    const open = await newPlace(await startSharedStores())
    const { ask } = await embedded({}, { stores: await open(), link: 'http' })
    const schemas = answerSchemas()
    const made = schemas.createWorkspace.parse(await answerOf('createWorkspace', { body: {} }))
    const params = { workspaceId: made.workspaceId }
    const given = {
      renameWorkspace: { params, body: { name: 'Papers' } },
      deleteWorkspace: { params },
    }
    for (const route of HOSTED_ROUTES)
      expect(schemas[route].safeParse(await answerOf(route, given[route]))).toMatchObject({
        success: true,
      })

    async function answerOf(route: JsonRoute, options: AskOptions) {
      const { status, value } = await ask(route, options)
      expect(status, `${route} ${JSON.stringify(value)}`).toBe(200)
      return value
    }
  },
)

test('every route that answers with JSON answers as the OpenAPI document says', async () => {
  let goOn = () => {}
  const held = new Promise<void>(resolve => (goOn = resolve))
  const { model, requests } = recorder([says('Hello.'), says('Again.')], {
    before: async () => (requests.length === 2 ? held : undefined),
  })
  const slow = slowWrites('slow.txt')
  const { wrapEngine } = slow
  const product = await embedded({ 'a.txt': 'one\n' }, { model, link: 'http', wrapEngine })
  const { value: document } = await product.ask('openapi')
  const schemas = answerSchemas()
  const failed = failureSchema()
  const tried = new Set<string>()
  const params = { workspaceId: product.workspaceId, sessionId: product.sessionId }
  async function check(route: JsonRoute, options: AskOptions = {}) {
    const { status, value } = await product.ask(route, {
      ...options,
      params: { ...params, ...options.params },
    })
    expect(status, `${route} ${JSON.stringify(value)}`).toBe(200)
    expect(schemas[route].safeParse(value), `${route} ${JSON.stringify(value)}`).toMatchObject({
      success: true,
    })
    if (!OWN_FIELDS.includes(route))
      expect(undescribed(responseOf(document, route), value, document), route).toEqual([])
    tried.add(route)
    return value
  }

  for (const route of [
    'health',
    'openapi',
    'tools',
    'listWorkspaces',
    'getWorkspace',
    'listFiles',
    'listSessions',
    'getSession',
  ] as const)
    await check(route)
  await check('attachWorkspace', { body: { key: 'another', name: 'another' } })
  const extra = await check('createSession', { body: {} })
  await check('linkAnswers', { body: { answers: [] } })
  await check('linkEvents', { body: { events: [] } })

  await check('addActiveFile', { body: { path: 'A.txt' } })
  await check('listActiveFiles')
  await check('removeActiveFile', { query: { path: 'a.txt' } })

  const create = { tool: 'workspace_create_file', arguments: { path: 'b.txt', content: 'b\n' } }
  const { approvalId, toolCallId } = await check('callTool', { body: create })
  await check('listApprovals')
  await check('getCall', { params: { toolCallId } })
  await check('decide', { params: { approvalId }, body: { decision: 'approved' } })
  await check('getCall', { params: { toolCallId } })
  await check('callTool', { body: { tool: 'read_file', arguments: { path: 'none' } } })
  await check('callAsModel', { body: { tool: 'read_file', arguments: { path: 'a.txt' } } })
  const ask = { tool: 'ask_person', arguments: { question: 'Which?', choices: ['A', 'B'] } }
  const { approvalId: questionId } = await check('callAsModel', { body: ask })
  await check('listQuestions')
  await check('answerQuestion', { params: { questionId }, body: { answer: 'A' } })
  const deed = { deed: 'undo', subject: 'cs_1', question: 'Undo?', choices: ['Undo', 'No'] }
  await check('askForYes', { body: deed })
  await check('listInstructions')
  await check('history', { query: { path: 'b.txt' } })
  await check('undo', { body: {} })
  await check('redo', { body: {} })

  const openFile = openSync(join(product.dir, 'a.txt'), 'a')
  onTestFinished(() => closeSync(openFile))
  const write = { tool: 'write_text_file', arguments: { path: 'a.txt', content: 'c\n' } }
  await check('callTool', { body: write })
  await check('listDrafts')
  await check('review')
  const { changeSetId } = await check('publish', { body: {} })
  writeSync(openFile, 'late\n')
  await check('undo', { body: {} })
  await check('restore', { body: { id: `${changeSetId}.0` } })
  const edits = [{ search: 'old', replace: 'draft' }]
  product.write('f.txt', 'old\n')
  await check('callTool', {
    body: { tool: 'edit_text_file', arguments: { path: 'f.txt', edits } },
  })
  product.write('f.txt', 'disk\n')
  const { conflicts } = await check('review')
  const changeIds = conflicts.map(({ changeId }: { changeId: string }) => changeId)
  await check('resolve', { body: { changeIds, side: 'theirs' } })
  await check('callTool', { body: { ...write, arguments: { path: 'd.txt', content: 'd\n' } } })
  await check('discard', { body: {} })
  await check('listChangeSets')
  await check('updateSession', { body: { title: 'Renamed', isPinned: true } })
  const sheet = [{ op: 'ensure_sheet', sheet: 'S' }]
  const book = { path: 'a.xlsx', create_if_missing: true, operations: sheet }
  await check('callTool', { body: { tool: 'xlsx_operations', arguments: book } })
  const drafts = await check('listDrafts')
  const { id: draftId } = drafts.find(({ state }: { state: string }) => state === 'open')
  await check('grid', { query: { path: 'a.xlsx', draftId } })
  await check('discard', { body: {} })
  await check('putContent', { query: { path: 'put.txt' } })
  const late = { ...write, arguments: { path: 'slow.txt', content: 's\n' }, toolCallId: 'late' }
  const givenUp = product.ask('callTool', { params, body: late })
  await slow.reached
  await check('cancelCall', { params: { toolCallId: 'late' } })
  slow.goOn()
  expect((await givenUp).value).toMatchObject({ errorCode: 'CANCELLED' })

  const { id: ruleId } = await check('addRule', { body: { effect: 'allow', path: 'notes/**' } })
  await check('listRules')
  await check('removeRule', { params: { ruleId } })

  const newToken = { name: 'editor', workspaces: [product.workspaceId], rights: ['read'] }
  const { tokenId } = await check('createToken', { body: newToken })
  await check('listTokens')
  await check('revokeToken', { params: { tokenId } })
  await check('listDecisions')

  await runTo(product, 'Say hello.')
  await check('getTurn', { params: { turnId: 'last' } })
  await check('log')
  await check('clear', { body: {} })
  await check('sendMessage', { body: { text: 'And again.' } })
  await expect.poll(() => requests.length).toBe(2)
  const { messageId } = await check('sendMessage', { body: { text: 'And more.' } })
  await check('listQueue')
  await check('takeBack', { params: { messageId } })
  goOn()
  const { rows } = await untilEnded(product)
  const { seq } = rows.findLast(({ type }) => type === 'user_message')!
  await check('rewind', { body: { seq } })
  await check('cancel', { body: {} })
  await check('resume', { params: { sessionId: extra.sessionId }, body: {} })
  await check('deleteSession', { params: { sessionId: extra.sessionId } })

  const sha256 = sha256Of('{}') // the body sent here
  await check('putBlob', { params: { sha256 } })
  const head = { docPath: 'e.txt', path: 'e.txt', sha256, sizeBytes: 2 }
  await check('moveHeads', { body: { heads: [head] } })

  const json = (Object.keys(ROUTES) as RouteName[]).filter(name => !ROUTE_DETAILS[name].answers)
  expect([...tried, ...OWNER_ROUTES, ...HOSTED_ROUTES].sort()).toEqual([...json].sort())
  const described = Object.values<
    Record<string, { operationId: string; responses: Record<string, unknown> }>
  >(document.paths).flatMap(Object.values)
  for (const { operationId, responses } of described)
    if (json.includes(operationId as RouteName))
      expect(JSON.stringify(responses[200]), operationId).toMatch(
        /"type":"(object|array|null)"|"anyOf"|"\$ref"/,
      )
  const missing = await product.ask('getSession', {
    params: { ...params, sessionId: 'ses_none' },
  })
  expect(missing.status).toBe(404)
  expect(failed.safeParse(missing.value).success).toBe(true)
})

interface JsonSchema {
  readonly $ref?: string
  readonly oneOf?: readonly JsonSchema[]
  readonly anyOf?: readonly JsonSchema[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly items?: JsonSchema
}

function responseOf(document: Answer, route: string): JsonSchema {
  const operations = Object.values<Answer>(document.paths).flatMap(path =>
    Object.values<Answer>(path),
  )
  const { responses } = operations.find(({ operationId }) => operationId === route)
  return responses[200].content['application/json'].schema
}

/** The fields of an answer that its schema lacks. */
function undescribed(given: JsonSchema, value: unknown, document: Answer, at = ''): string[] {
  if (typeof value !== 'object' || value === null) return []
  const schema = given.$ref ? document.components.schemas[nameIn(given.$ref)] : given
  const within = (each: JsonSchema, part: unknown, place: string) =>
    undescribed(each, part, document, place)
  const kinds = schema.anyOf ?? schema.oneOf
  if (kinds) {
    const found = kinds.map((each: JsonSchema) => within(each, value, at))
    return found.reduce((least: string[], each: string[]) =>
      each.length < least.length ? each : least,
    )
  }
  const { items, properties } = schema
  if (Array.isArray(value))
    return items ? value.flatMap((each, index) => within(items, each, `${at}[${index}]`)) : []
  if (!properties) return []
  return Object.entries(value).flatMap(([name, each]) =>
    properties[name] ? within(properties[name], each, `${at}.${name}`) : `${at}.${name}`,
  )
}

function nameIn(reference: string): string {
  return reference.slice('#/components/schemas/'.length)
}

/** An engine that keeps writes to one file waiting. */
function slowWrites(path: string) {
  let [goOn, reach] = [() => {}, () => {}]
  const held = new Promise<void>(resolve => (goOn = resolve))
  const reached = new Promise<void>(resolve => (reach = resolve))
  const wrapEngine = (engine: Engine): Engine => ({
    ...engine,
    async apply(ref, ...asked) {
      if (ref.name.path === path) {
        reach()
        await held
      }
      return engine.apply(ref, ...asked)
    },
  })
  return { wrapEngine, reached, goOn: () => goOn() }
}
