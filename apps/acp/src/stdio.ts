import {
  createPipeWriter,
  type Host,
  readConfig,
  untilOrphaned,
  untilStopped,
  unwrapOrExit,
  writerPastStdout,
} from '@filewright/host'
import { LIMITS } from '@filewright/protocol'
import { createAgent } from './agent.ts'
import type { Mode } from './editor/open-session.ts'
import { createLineStream } from './protocol/line-stream.ts'
import { loadSdk } from './protocol/sdk.ts'

export interface AcpOptions {
  readonly model?: string
  readonly mode?: Mode
  readonly allowLarge?: boolean
}

const MESSAGE_BYTES = 4 * LIMITS.textFileBytes // a text file or a picture at its limit, quoted

/** Speaks on stdin and stdout until the editor closes them, ends, or asks this process to end. */
export async function serveStdin(preset: AcpOptions, host: Host): Promise<void> {
  const orphaned = untilOrphaned() // from the start: an editor may end while we open the state
  const config = readConfig()
  const connection = unwrapOrExit(await host.connect(config))
  try {
    connection.watchOwner()
    const sdk = loadSdk()
    const agent = createAgent({ sdk, connection, config, preset })
    const closed = new Promise<unknown>(resolve => {
      for (const event of ['end', 'close']) process.stdin.once(event, resolve)
      process.stdout.once('error', resolve) // nobody reads any more
    })
    const serving = agent.app.connect(
      createLineStream({
        input: process.stdin,
        write: createPipeWriter({ stream: process.stdout, writeNow: writerPastStdout() }),
        maxBytes: MESSAGE_BYTES,
      }),
    )
    await Promise.race([closed, untilStopped(), orphaned, serving.closed])
    await agent.end()
    serving.close()
  } finally {
    process.stdin.pause() // somebody else may hold its other end open, and an open pipe keeps a process
    await connection.close()
  }
}
