import { onTestFinished } from 'vitest'
import type { Answer } from '../embedded.ts'
import type { Served } from './served.ts'

/** Its answer to a method: a `Result`, created on request. */
export type Script = Readonly<Record<string, (params: Answer) => unknown>>

/** A client over HTTP that answers as the test says, valid or not; it does not know methods that the script lacks. */
export async function attachScripted(server: Served, script: Script) {
  const { workspaceId } = (
    await server.ask('attachWorkspace', { body: { key: 'scripted', name: 'scripted' } })
  ).value
  const base = `${server.direct}/api/workspaces/${workspaceId}`
  const authorization = `Bearer ${server.token}`
  const asked: string[] = []
  const abort = new AbortController()
  onTestFinished(() => abort.abort())

  async function answer({ id, method, params }: Answer) {
    asked.push(method)
    const result = await (script[method] ?? unknown)(params)
    await fetch(`${base}/link/answers`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ answers: [{ id, result }] }),
    })
  }

  async function listen() {
    const stream = await fetch(`${base}/link`, { headers: { authorization }, signal: abort.signal })
    const decoder = new TextDecoder()
    let text = ''
    for await (const bytes of stream.body!) {
      const lines = (text + decoder.decode(bytes, { stream: true })).split('\n')
      text = lines.pop()!
      for (const line of lines) if (line.startsWith('data: ')) answer(JSON.parse(line.slice(6)))
    }
  }

  const attached = async () =>
    (await server.ask('getWorkspace', { params: { workspaceId } })).value.isAttached as boolean
  listen().catch(() => {})
  while (!(await attached())) await new Promise(resolve => setTimeout(resolve, 5))
  const { sessionId } = (await server.ask('createSession', { params: { workspaceId } })).value
  return {
    workspaceId: workspaceId as string,
    sessionId: sessionId as string,
    asked,
    call: (tool: string, args: unknown, more: object = {}) =>
      server.ask('callTool', {
        params: { workspaceId, sessionId },
        body: { tool, arguments: args, approve: 'all', ...more },
      }),
    async goAway() {
      abort.abort()
      while (await attached()) await new Promise(resolve => setTimeout(resolve, 5))
    },
  }
}

export const done = (value: unknown) => ({ ok: true, value })

function unknown() {
  const message = 'This client does not know it.'
  return {
    ok: false,
    failure: { code: 'UNKNOWN_TOOL', kind: 'invalid', message, errors: [message] },
  }
}
