import { type RouteName, routeMethod, routeTemplate } from '@filewright/protocol'
import type { Fetch } from '../link/caller.ts'

export interface OwnSettings {
  /** The folders that this process offers: a list begins with them, and the page opens the first. */
  readonly workspaceIds: readonly string[]
  /** The model for a message that names none; undefined leaves the choice to the owner. */
  chooseModel(): Promise<string | undefined>
}

/** Answers with what this process was started with, even where another process owns the state. */
export function withOwnSettings(fetch: Fetch, own: OwnSettings): Fetch {
  return async request => {
    const name = RELEVANT.find(route => isFor(request, route))
    if (name === undefined) return fetch(request)
    if (name === 'listWorkspaces') return ownFirst(await fetch(request), own)
    return fetch(await withModel(request, own))
  }
}

const RELEVANT = ['listWorkspaces', 'sendMessage', 'resume'] as const satisfies RouteName[]

function isFor({ method, url }: Request, name: RouteName): boolean {
  if (method !== routeMethod(name)) return false
  const path = new URL(url).pathname.split('/')
  const template = `/api${routeTemplate(name)}`.split('/')
  return (
    path.length === template.length &&
    template.every((part, i) => part.startsWith(':') || part === path[i])
  )
}

async function ownFirst(answered: Response, { workspaceIds }: OwnSettings): Promise<Response> {
  if (!answered.ok) return answered
  const { workspaces, ...rest } = (await answered.json()) as {
    workspaces: { workspaceId: string }[]
  }
  const isOwn = ({ workspaceId }: { workspaceId: string }) => workspaceIds.includes(workspaceId)
  const ordered = [...workspaces.filter(isOwn), ...workspaces.filter(each => !isOwn(each))]
  return Response.json({ ...rest, workspaces: ordered }, { status: answered.status })
}

/** A body that is no object goes on as it is: the owner says what is wrong with it. */
async function withModel(request: Request, { chooseModel }: OwnSettings): Promise<Request> {
  const text = await request.text()
  const again = (body: string) =>
    new Request(request.url, { method: request.method, headers: request.headers, body })
  const body = toObject(text)
  if (!body || body.model !== undefined) return again(text)
  const model = await chooseModel()
  return again(model === undefined ? text : JSON.stringify({ ...body, model }))
}

function toObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null && !Array.isArray(body)
      ? (body as Readonly<Record<string, unknown>>)
      : undefined
  } catch {
    return undefined
  }
}
