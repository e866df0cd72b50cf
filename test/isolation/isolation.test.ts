import { createHash } from 'node:crypto'
import { ROUTES, type RouteName, routeMethod, routeTemplate } from '@filewright/protocol'
import { catalog } from '@filewright/tools'
import { describe, expect, test } from 'vitest'
import { type Needs, ROUTE_NEEDS, TOOL_NEEDS } from './needs.ts'
import {
  type Asked,
  type Asking,
  makePersonas,
  OWNER,
  type Persona,
  startIsolated,
} from './personas.ts'

const NAMES = Object.keys(ROUTES) as RouteName[]
const SHA256 = 'a'.repeat(64)

/** What a route needs to be asked at all: then its answer says whether it was let in. */
const ASKED: Readonly<Partial<Record<RouteName, Asking>>> = {
  attachWorkspace: { body: { key: 'here', name: 'here' } },
  createToken: { body: { name: 'new', rights: ['read'], workspaces: [] } },
  getContent: { query: { path: 'a.txt' } },
  putContent: { query: { path: 'a.txt' } },
  grid: { query: { path: 'a.xlsx' } },
  moveHeads: { body: { heads: [] } },
  linkAnswers: { body: { answers: [] } },
  linkEvents: { body: { events: [] } },
  history: { query: { path: 'a.txt' } },
  resolve: { body: { changeIds: ['chg_x'], side: 'ours' } },
  restore: { body: { id: 'cs_x.0' } },
  decide: { body: { decision: 'approved' } },
  answerQuestion: { body: { answer: 'yes' } },
  askForYes: {
    body: { deed: 'undo', subject: 'cs_x', question: 'Undo?', choices: ['Undo', 'No'] },
  },
  addRule: { body: { effect: 'deny' } },
  callTool: { body: { tool: 'list_files', arguments: {} } },
  callAsModel: { body: { tool: 'list_files', arguments: {} } },
  sendMessage: { body: { text: 'Hello' } },
  rewind: { body: { seq: 1 } },
  addActiveFile: { body: { path: 'a.txt' } },
  removeActiveFile: { query: { path: 'a.txt' } },
}

const someParams = {
  sessionId: 'ses_x',
  toolCallId: 'tc_x',
  turnId: 'trn_x',
  messageId: 'msg_x',
  approvalId: 'apr_x',
  questionId: 'qst_x',
  ruleId: 'rul_x',
  tokenId: 'tok_x',
  sha256: SHA256,
}

async function startPlace() {
  const isolated = await startIsolated()
  const here = await isolated.workspaceOf('here')
  const there = await isolated.workspaceOf('there')
  const personas = await makePersonas(isolated, here, there)
  const { value } = await isolated.ask('createSession', OWNER, { params: { workspaceId: here } })
  const params = { ...someParams, workspaceId: here, sessionId: value.sessionId as string }
  return { ...isolated, here, there, personas, params }
}

/** What the persona gets: undefined where it should be the same as the owner's. */
function refusal(name: RouteName, needs: Needs, { token, ...persona }: Persona) {
  if (token === undefined || persona.elsewhere.length === 0) return 401
  const isOfWorkspace = routeTemplate(name).includes(':workspaceId')
  if (isOfWorkspace && !persona.here) return 404
  const may = isOfWorkspace ? persona.here! : persona.elsewhere
  return needs.split(' or ').some(one => may.includes(one as Needs)) ? undefined : 403
}

const bare = ({ status, value }: Asked) => ({ status, errorCode: value?.errorCode ?? null })

test('every route and every tool is classified, and the classes are those of the server', () => {
  expect(Object.keys(TOOL_NEEDS).sort()).toEqual(
    catalog.map(({ declaration }) => declaration.name).sort(),
  )
  expect(Object.keys(ROUTE_NEEDS).sort()).toEqual([...NAMES].sort())
})

describe('each token gets what it is for, and nothing else', async () => {
  const place = await startPlace()

  test.each(NAMES)('%s', async name => {
    const { ask, personas, here, params } = place
    const given = ASKED[name]
    const body =
      name === 'createToken' ? { ...(given!.body as object), workspaces: [here] } : given?.body
    // a session for each, so that what one does to it is not what the next one finds
    const asking = async (): Promise<Asking> => {
      const made = await ask('createSession', OWNER, { params })
      return { ...given, body, params: { ...params, sessionId: made.value.sessionId } }
    }
    const owners = await ask(name, OWNER, await asking())
    expect(owners.status, 'the owner').not.toBe(401)
    expect(owners.status, 'the owner').not.toBe(403)
    for (const [who, persona] of Object.entries(personas)) {
      const asked = await ask(name, persona.token, await asking())
      const refused = isForeignToken(name, who) ? 404 : refusal(name, ROUTE_NEEDS[name], persona)
      if (refused === undefined) expect(bare(asked), who).toEqual(bare(owners))
      else expect(asked.status, `${who}: ${asked.value?.message}`).toBe(refused)
      if (refused === 404 && routeMethod(name) !== 'HEAD')
        expect(asked.value.message, who).toContain('here is no workspace')
    }
  })

  /** It names the workspace in its body. */
  const isForeignToken = (name: RouteName, who: string) =>
    name === 'createToken' && who === "another workspace's admin"

  test.each(Object.keys(TOOL_NEEDS))('%s', async tool => {
    const { ask, personas, params } = place
    for (const route of ['callTool', 'callAsModel'] as const) {
      const asking = { params, body: { tool, arguments: {} } }
      const owners = await ask(route, OWNER, asking)
      expect(owners.status).toBe(200)
      for (const [who, persona] of Object.entries(personas)) {
        const asked = await ask(route, persona.token, asking)
        const refused = refusal(route, TOOL_NEEDS[tool]!, persona)
        if (refused === undefined) expect(bare(asked), who).toEqual(bare(owners))
        else expect(asked.status, who).toBe(refused)
      }
    }
  })
})

test('ids of another workspace answer as if they were made up', async () => {
  const { ask, personas, there, params, server, here } = await startPlace()
  const bytes = Buffer.from('secret of here')
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  await server.handle(OWNER, 'putBlob', { params: { workspaceId: here, sha256 }, bytes })
  const called = await ask('callTool', OWNER, {
    params,
    body: { tool: 'update_plan', arguments: { steps: [] }, toolCallId: 'mine' },
  })
  const real = { ...params, sha256, toolCallId: called.value.toolCallId as string }
  const { token } = personas["another workspace's admin"]!
  const made = { ...someParams, sessionId: 'ses_0123456789abcdef', sha256: 'b'.repeat(64) }
  const withoutIds = ({ status, value }: Asked, ids: Readonly<Record<string, string>>) => {
    let text = JSON.stringify(value ?? null)
    for (const id of Object.values(ids)) text = text.replaceAll(id, 'ID')
    return { status, text }
  }
  for (const name of NAMES) {
    if (!/:workspaceId\/.*:/.test(routeTemplate(name))) continue
    const asked = async (ids: Readonly<Record<string, string>>) =>
      withoutIds(
        await ask(name, token, { ...ASKED[name], params: { ...ids, workspaceId: there } }),
        {
          ...ids,
          workspaceId: there,
        },
      )
    const answer = await asked(real)
    expect(answer, name).toEqual(await asked(made))
    expect(answer.status, name).not.toBe(200)
  }
})

test('lists show what the token reaches', async () => {
  const { ask, personas, here, there } = await startPlace()
  const listed = async (who: string) => {
    const { value } = await ask('listWorkspaces', personas[who]!.token)
    return value.workspaces.map((each: { workspaceId: string }) => each.workspaceId)
  }
  expect(await listed('a reader')).toEqual([here])
  expect(await listed("another workspace's editor")).toEqual([there])
  expect(await listed('an admin of every workspace')).toEqual([here, there])
  const names = async (who: string) => {
    const { value } = await ask('listTokens', personas[who]!.token)
    return value.tokens.map((each: { name: string }) => each.name)
  }
  expect(await names('an admin')).toEqual(
    expect.arrayContaining(['reader', 'editor', 'agent', 'approver', 'admin']),
  )
  expect(await names('an admin')).not.toContain('foreign editor')
  expect(await names('an admin')).not.toContain('admin everywhere')
  expect(await names("another workspace's admin")).toEqual(['foreign editor', 'foreign admin'])
})
