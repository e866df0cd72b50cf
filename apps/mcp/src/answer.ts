import { createHash } from 'node:crypto'
import { type FaceCaller, readConfig } from '@filewright/host'
import { HTTP_STATUS, type Kind, LIMITS, TOOLSETS, type Toolset } from '@filewright/protocol'
import { createAgent, toPolicy } from './create-agent.ts'
import { createRequestStates } from './gate/request-state.ts'
import { createHttpEntry, type HttpEntry } from './http/entry.ts'
import { loadSdk } from './protocol/sdk.ts'
import { createReviewApp } from './review-app/review-app.ts'
import { createServer } from './server.ts'

/** By caller, workspace, toolset, address and policy; one that was dropped is made anew. */
const entries = new Map<string, HttpEntry>()
const MOST_ENTRIES = 64

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
  return entryFor(request, caller, params, toolset).answer(request)
}

function entryFor(
  request: Request,
  caller: FaceCaller,
  params: { readonly workspaceId: string },
  toolset: Toolset,
): HttpEntry {
  const { agentPublish, publicUrl } = readConfig()
  const asked = `http://${request.headers.get('host') ?? new URL(request.url).host}`
  const address = `${publicUrl?.origin ?? asked}/` // another instance may have passed the request on
  const policy = toPolicy(agentPublish) // as it is now: the person may have changed it
  const key = createHash('sha256')
    .update(JSON.stringify([caller.token, params.workspaceId, toolset, address, policy]))
    .digest('hex')
  const known = entries.get(key)
  if (known) return known
  const sdk = loadSdk()
  const agent = createAgent({
    connection: caller,
    params,
    toolset,
    policy,
    isOwner: caller.scope.isOwner,
    inFolder: '',
    reviewLink: async () => address,
  })
  const states = createRequestStates(sdk, key)
  const reviewApp = createReviewApp(agent)
  const entry = createHttpEntry(sdk, context =>
    createServer({ sdk, agent, states, reviewApp }, context),
  )
  if (entries.size >= MOST_ENTRIES) {
    const oldest = entries.keys().next().value!
    void entries.get(oldest)?.close()
    entries.delete(oldest)
  }
  entries.set(key, entry)
  return entry
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
