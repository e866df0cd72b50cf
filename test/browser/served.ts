import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { type RouteName, routeMethod, routeTemplate } from '@filewright/protocol'
import {
  addressSaidBy,
  endOf,
  root,
  signalGroup,
  start,
  temporaryFolder,
} from '../commands/checkout.ts'

/** A separate server on a copy of the sample, called as the page calls it. */
export type Served = {
  /** The printed address, with its token. */
  url: URL
  folder: string
  /** A route without parameters. */
  ask: (route: RouteName, body?: unknown) => Promise<Answer>
  call: (tool: string, input: unknown) => Promise<Answer>
  stop: () => Promise<void>
  /** At the same address, with the same state. */
  startAgain: () => Promise<void>
}

type Answer = Record<string, unknown>

export interface ServeOptions {
  /** Folders next to the sample. */
  others?: readonly string[]
  port?: number
  /** The built command. */
  bin?: string
}

const BIN = join(root, 'apps/cli/bin/filewright.cjs')

export async function serveSample(
  env = {},
  { others = [], port = 0, bin = BIN }: ServeOptions = {},
): Promise<Served> {
  const folder = join(temporaryFolder(), 'sample')
  cpSync(join(root, 'sample'), folder, { recursive: true })
  const state = temporaryFolder()
  const serve = (port: string) => {
    const folders = [folder, ...others].flatMap(dir => ['-C', dir])
    const args = [bin, 'serve', ...folders, '--port', port]
    return start(process.execPath, args, folder, { FILEWRIGHT_STATE: state, ...env })
  }
  let server = serve(String(port))
  const { url, token } = await addressSaidBy(server)

  const ask = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const response = await fetch(new URL(`/api${path}`, url), {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return (await response.json()) as Answer
  }
  const { workspaces } = await ask('GET', '/workspaces')
  const workspace = `/workspaces/${(workspaces as { workspaceId: string }[])[0]?.workspaceId}`
  const { sessionId } = await ask('POST', `${workspace}/sessions`, {})
  return {
    url,
    folder,
    async stop() {
      const ended = endOf(server)
      signalGroup(server, 'SIGTERM')
      await ended
    },
    async startAgain() {
      server = serve(url.port)
      await addressSaidBy(server)
    },
    ask: (route, body) => ask(routeMethod(route), routeTemplate(route), body),
    call: (tool, input) =>
      ask('POST', `${workspace}/sessions/${sessionId}/calls`, {
        tool,
        arguments: input,
        approve: 'rules',
      }),
  }
}
