import { type Right, type RouteName, routeMethod, routePath } from '@filewright/protocol'
import type { RunOptions, Sandbox } from '../cli.ts'
import type { Answer } from '../embedded.ts'
import { PAGE_ADDRESS, untilSays } from '../until-says.ts'

export interface Asked {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** The owner process with its socket, and tokens of each kind for its first workspace. */
export async function serving(box: Sandbox, options?: RunOptions) {
  const child = box.start(['serve', '--port', '0'], options)
  const { origin, searchParams } = new URL(await untilSays(child, PAGE_ADDRESS))
  const owner = searchParams.get('token')!

  /** One request, as the holder of this token makes it. */
  async function ask(token: string, name: RouteName, { params, query, body }: Asked = {}) {
    const url = new URL(origin + routePath(name, { workspaceId, ...params }))
    for (const [key, value] of Object.entries(query ?? {})) url.searchParams.set(key, value)
    const response = await fetch(url, {
      method: routeMethod(name),
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    return {
      status: response.status,
      text,
      value: (isJson ? JSON.parse(text) : undefined) as Answer,
    }
  }

  let workspaceId = ''
  const { value } = await ask(owner, 'listWorkspaces')
  workspaceId = value.workspaces[0].workspaceId
  const tokenOf = async (name: string, rights: readonly Right[], isAgent = false) => {
    const made = await ask(owner, 'createToken', {
      body: { name, rights, workspaces: [workspaceId], isAgent },
    })
    return made.value.token as string
  }
  return { origin, owner, workspaceId, ask, tokenOf }
}

export type Serving = Awaited<ReturnType<typeof serving>>
