import type {
  AnswerOf,
  AttachDirectly,
  CallRoute,
  ReadSourceAtOnce,
  RouteClient,
} from '@filewright/protocol'
import { openDirectLink } from './direct-link.ts'
import { type Link, type LinkOptions, openLink } from './link.ts'

/** A server in the same process: requests go both ways without HTTP. */
export interface DirectServer {
  readonly handle: CallRoute
  readonly attach: AttachDirectly
}

/** The server answers but does not accept the workspace; 401: it does not know the token. */
export class AttachRefused extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** How a workspace introduces itself to the server. */
export interface Announcement {
  /** The same key is the same workspace. */
  readonly key: string
  readonly name: string
  /** Its folder, for a person who has two workspaces of the same name. */
  readonly place?: string
}

/** Where the server is: in this process, or behind its origin. */
export interface ServerWays {
  readonly direct?: DirectServer
  readonly server: RouteClient
  readonly origin: string
}

/** Announces the workspace to the server, which assigns its id. */
export async function announce(
  { direct, server, origin }: ServerWays,
  { key, name, place }: Announcement,
): Promise<string> {
  const body = { key, name, place }
  if (direct) {
    const attached = await direct.handle('attachWorkspace', { body })
    if (!attached.ok) throw new AttachRefused(403, attached.failure.message)
    return attached.value.workspaceId
  }
  const response = await server.open('attachWorkspace', { body })
  if (!response.ok)
    throw new AttachRefused(
      response.status,
      `The server at ${origin} answered ${response.status} to the workspace "${name}"`,
    )
  const attached = (await response.json()) as AnswerOf<'attachWorkspace'>
  return attached.workspaceId
}

export interface AttachLinkOptions extends LinkOptions {
  readonly direct?: DirectServer
  readonly readAtOnce?: ReadSourceAtOnce
}

/** The link over which the server sends requests to this workspace. */
export async function attachLink(options: AttachLinkOptions): Promise<Link> {
  const { direct, readAtOnce, onState, ...common } = options
  if (!direct) return openLink({ ...common, onState })
  const opened = await openDirectLink({ ...direct, ...common, readAtOnce })
  if (!opened.ok) throw new AttachRefused(403, opened.failure.message)
  onState?.('attached')
  return opened.value
}
