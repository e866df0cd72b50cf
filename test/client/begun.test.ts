import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openClientState, openDiskWorkspace, startClient } from '@filewright/client'
import { createInProcessEngine } from '@filewright/engine'
import {
  type CallState,
  type LinkRequest,
  ok,
  type Result,
  type TurnEnvelope,
  unwrap,
} from '@filewright/protocol'
import { expect, onTestFinished, test } from 'vitest'
import { NO_OFFICE } from '../no-office.ts'

const CALLS = [
  ['write_text_file', { path: 'new.txt', content: 'new\n' }],
  ['workspace_create_file', { path: 'new.txt', content: 'new\n' }],
] as const

test.each(CALLS)('%s has no effect before its row is kept', async (tool, input) => {
  const { ask, effects } = await clientAlone()
  let keep = () => {}
  const asked = ask(tool, input, new Promise<void>(resolve => (keep = resolve)))
  await new Promise(resolve => setTimeout(resolve, 100)) // as long as the whole call would take
  expect(effects()).toEqual([])
  keep()
  expect(await asked).toMatchObject({ value: { outcome: { envelope: { success: true } } } })
  expect(effects()).not.toEqual([])
})

test.each(CALLS)('%s has no effect at all when its row could not be kept', async (tool, input) => {
  const { ask, effects } = await clientAlone()
  await ask(tool, input, Promise.reject(new Error('the disk is full')))
  expect(effects()).toEqual([])
})

/** A client whose server is this test: it is called directly, and its uploads are discarded. */
async function clientAlone() {
  const root = mkdtempSync(join(tmpdir(), 'filewright-begun-'))
  const [dir, stateRoot] = [join(root, 'work'), join(root, 'state')]
  mkdirSync(dir)
  const answers = new Map<string, (result: Result<unknown>) => void>()
  let take: (request: LinkRequest) => void = () => {}
  const engine = createInProcessEngine()
  const client = await startClient({
    workspace: unwrap(await openDiskWorkspace(dir)),
    state: await openClientState(stateRoot),
    engines: { trusted: engine, hostile: engine, office: NO_OFFICE },
    fetch: async () => Response.json(null),
    server: {
      handle: async () => ok({ workspaceId: 'ws_0123456789abcdef' } as never),
      attach: async (_, taking) => {
        take = taking
        return ok({ answer: ({ id, result }) => answers.get(id)?.(result), detach: () => {} })
      },
    },
    origin: 'http://localhost',
    token: 'token',
    key: 'test',
    name: 'work',
  })
  onTestFinished(async () => {
    await client.close()
    rmSync(root, { recursive: true, force: true, maxRetries: 20 })
  })
  const drafts = (folder: string) => {
    const path = join(stateRoot, 'drafts', folder)
    return existsSync(path) ? readdirSync(path) : []
  }
  return {
    effects: () => [...readdirSync(dir), ...drafts('open'), ...drafts('closed')],
    ask(tool: string, input: unknown, begun: Promise<void>): Promise<Result<CallState>> {
      begun.catch(() => {}) // the client is notified
      const toolCall = {
        toolCallId: 'tc_0123456789abcdef',
        name: tool,
        argumentsJson: JSON.stringify(input),
      }
      const turn: TurnEnvelope = {
        kind: 'client_tool_continuation',
        sessionId: 'ses_0123456789abcdef',
        conversationId: 'con_0123456789abcdef',
        turnId: 'trn_0123456789abcdef',
        toolCalls: [toolCall],
      }
      return new Promise(resolve => {
        answers.set('q1', result => resolve(result as Result<CallState>))
        const params = { turn, policy: 'all', author: 'test', begun } as const
        take({ id: 'q1', method: 'tool-call', params })
      })
    },
  }
}
