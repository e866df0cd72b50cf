import { availableParallelism } from 'node:os'
import {
  createPipeWriter,
  createWakefulness,
  findWebRoot,
  type Host,
  inFolder,
  type Listening,
  listenSomewhere,
  portFace,
  untilOrphaned,
  untilStopped,
  type Work,
  writerPastStdout,
} from '@filewright/host'
import { LIMITS, type Toolset } from '@filewright/protocol'
import type { AgentPolicy } from './agent/agent.ts'
import { createAgent, toPolicy } from './create-agent.ts'
import { createRequestStates } from './gate/request-state.ts'
import { createLineTransport } from './protocol/line-transport.ts'
import { loadSdk } from './protocol/sdk.ts'
import { createServer } from './server.ts'

export interface StdinOptions {
  readonly dir?: string
  readonly cwd?: string
  readonly toolset?: Toolset
  readonly publish?: AgentPolicy
  readonly allowLarge?: boolean
}

const MESSAGE_BYTES = 2 * LIMITS.textFileBytes // a text file at its limit, quoted

/** Speaks on stdin and stdout until the host closes them, ends, or asks this process to end. */
export function serveStdin(options: StdinOptions, host: Host): Promise<void> {
  const { dir, cwd = dir, allowLarge } = options
  const orphaned = untilOrphaned() // from the start: a host may end while we open the folder
  return host.inWorkspace({ cwd, allowLarge }, async work => {
    const page = pageOf(work, host)
    const sdk = loadSdk()
    const { toolset = 'workshop' } = options
    const agent = createAgent({
      ...work,
      toolset,
      policy: options.publish ?? toPolicy(work.config.agentPublish),
      isOwner: true,
      inFolder: inFolder(work),
      reviewLink: page.link,
    })
    const states = createRequestStates(sdk, `${work.connection.token} ${toolset}`)
    work.connection.watchOwner()
    const transport = createLineTransport({
      input: process.stdin,
      write: createPipeWriter({ stream: process.stdout, writeNow: writerPastStdout() }),
      maxBytes: MESSAGE_BYTES,
      onWork: stayAwake(),
    })
    const closed = new Promise<unknown>(resolve => {
      for (const event of ['end', 'close']) process.stdin.once(event, resolve)
      process.stdout.once('error', resolve) // nobody reads any more
    })
    const serving = sdk.serveStdio(context => createServer({ sdk, agent, states }, context), {
      transport,
    })
    await Promise.race([closed, untilStopped(), orphaned])
    await serving.close()
    await page.close()
  })
}

/** Between the calls of a busy host, as `call --lines` does; on one processor it would keep the host from running. */
function stayAwake(): ((event: 'asked' | 'answered') => void) | undefined {
  if (availableParallelism() === 1) return undefined
  const wakefulness = createWakefulness()
  return event => wakefulness[event]()
}

/** The page opens when a person is first asked; its address carries no token, because a model reads it. */
function pageOf({ connection }: Work, { routes }: Host) {
  let listening: Promise<Listening | undefined> | undefined
  const open = async () => {
    const webRoot = findWebRoot()
    if (webRoot === undefined) return undefined
    const answer = portFace(connection.fetch, { hosts: [], webRoot, routes })
    return listenSomewhere(answer, '127.0.0.1', undefined).catch(() => undefined) // it only shows
  }
  return {
    async link(): Promise<string | undefined> {
      listening ??= open()
      const port = (await listening)?.port
      return port === undefined ? undefined : `http://127.0.0.1:${port}/`
    },
    close: async () => (await listening)?.close(),
  }
}
