import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDiskWorkspace, startClient } from '@filewright/client'
import { loadFormat } from '@filewright/documents'
import { createInProcessEngine } from '@filewright/engine'
import { type Envelope, fail, type RouteName, routePath, unwrap } from '@filewright/protocol'
import { createLogger, createServer, newToken, openMemoryStores } from '@filewright/server'

/** The whole product in this process on a real folder: server, client, engine, stores in memory, no socket. */
export interface Product {
  /** One tool call, with a person who says yes to everything. */
  call(tool: string, input: unknown): Promise<Envelope>
  send(route: RouteName, body: unknown): Promise<unknown>
  close(): Promise<void>
}

export async function startProduct(folder: string): Promise<Product> {
  const stateRoot = mkdtempSync(join(tmpdir(), 'filewright state '))
  const token = newToken()
  const stores = await openMemoryStores()
  const problems: unknown[] = []
  const server = await createServer({
    stores,
    logger: createLogger(
      () => {},
      () => new Date(),
    ),
    version: '0.0.0',
    ownerToken: token,
    resolveModel: async () => fail('NOT_FOUND', 'No model is needed here.'),
  })
  const engine = createInProcessEngine({ loadFormat })
  const client = await startClient({
    workspace: unwrap(await openDiskWorkspace(folder)),
    stateRoot,
    engines: { text: engine, hostile: engine },
    fetch: server.fetch,
    origin: ORIGIN,
    token,
    key: folder,
    name: 'scenario',
    onError: problem => problems.push(problem),
  })

  const { workspaceId } = client
  let sessionId = ''
  async function send(route: RouteName, body: unknown): Promise<unknown> {
    const response = await server.fetch(
      new Request(ORIGIN + routePath(route, { workspaceId, sessionId }), {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    )
    return response.json()
  }
  sessionId = ((await send('createSession', {})) as { sessionId: string }).sessionId

  return {
    call: (tool, input) =>
      send('callTool', { tool, arguments: input, approve: 'all' }) as Promise<Envelope>,
    send,
    async close() {
      await client.close()
      await server.close()
      await engine.close()
      await stores.close()
      rmSync(stateRoot, { recursive: true, force: true })
      if (problems.length > 0) throw problems[0]
    },
  }
}

const ORIGIN = 'http://filewright.local'
