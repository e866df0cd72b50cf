import { createHash } from 'node:crypto'
import { type FaceCaller, readConfig } from '@filewright/host'
import { HTTP_STATUS, type Kind, LIMITS, TOOLSETS, type Toolset } from '@filewright/protocol'
import type { McpHttpHandler } from '@modelcontextprotocol/server'
import { createAgent, toPolicy } from './create-agent.ts'
import { createRequestStates } from './gate/request-state.ts'
import { loadSdk } from './protocol/sdk.ts'
import { createServer } from './server.ts'

/** Handlers by caller, workspace, toolset and address; a handler that was dropped is made anew. */
const handlers = new Map<string, McpHttpHandler>()
const MOST_HANDLERS = 64

/** `/mcp/WORKSPACE/TOOLSET`: the guard has checked token, Host and Origin by now. */
export async function answer(request: Request, caller: FaceCaller): Promise<Response> {
  const [, , workspaceId, toolset = 'workshop', ...more] = new URL(request.url).pathname.split('/')
  if (!workspaceId || more.length > 0 || !isToolset(toolset))
    return refuse(
      'missing',
      `There is /mcp/WORKSPACE/TOOLSET, with ${TOOLSETS.join(' or ')} as the toolset.`,
    )
  const params = { workspaceId: decodeURIComponent(workspaceId) }
  const workspace = await caller.call('getWorkspace', { params })
  if (!workspace.ok) return refuse(workspace.failure.kind, workspace.failure.message)
  const size = Number(request.headers.get('content-length') ?? 0)
  if (size > LIMITS.requestBodyBytes)
    return refuse(
      'limit',
      `A request may have ${LIMITS.requestBodyBytes} bytes, and this one has ${size}.`,
    )
  return handlerFor(request, caller, params, toolset).fetch(request)
}

function handlerFor(
  request: Request,
  caller: FaceCaller,
  params: { readonly workspaceId: string },
  toolset: Toolset,
): McpHttpHandler {
  const address = `http://${request.headers.get('host') ?? new URL(request.url).host}/`
  const key = createHash('sha256')
    .update(JSON.stringify([caller.token, params.workspaceId, toolset, address]))
    .digest('hex')
  const known = handlers.get(key)
  if (known) return known
  const sdk = loadSdk()
  const agent = createAgent({
    connection: caller,
    params,
    toolset,
    policy: toPolicy(readConfig().agentPublish),
    isOwner: caller.scope.kind === 'owner',
    inFolder: '',
    reviewLink: async () => address,
  })
  const states = createRequestStates(sdk, key)
  const handler = sdk.createMcpHandler(context => createServer({ sdk, agent, states }, context), {
    maxRequestBodySize: LIMITS.requestBodyBytes,
  })
  if (handlers.size >= MOST_HANDLERS) {
    const oldest = handlers.keys().next().value!
    void handlers.get(oldest)?.close()
    handlers.delete(oldest)
  }
  handlers.set(key, handler)
  return handler
}

function isToolset(text: string): text is Toolset {
  return (TOOLSETS as readonly string[]).includes(text)
}

function refuse(kind: Kind, message: string): Response {
  return Response.json(
    { success: false, kind, message, errors: [message] },
    { status: HTTP_STATUS[kind] },
  )
}
