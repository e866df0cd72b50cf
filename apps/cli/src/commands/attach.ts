import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { basename, join } from 'node:path'
import { openDiskWorkspace, startClient } from '@filewright/client'
import { loadFormat } from '@filewright/documents'
import { createInProcessEngine, createProcessEngine } from '@filewright/engine'
import { EXIT_CODES } from '@filewright/protocol'
import { readConfig } from '../config.ts'
import { engineCommand } from '../engine-command.ts'
import { Exit, note } from '../output.ts'
import { type FolderOptions, unwrapOrExit } from '../session.ts'
import { untilStopped } from '../until-stopped.ts'

interface AttachOptions extends FolderOptions {
  readonly server: string
  readonly token?: string
}

/** The same client as in one process, over real HTTP: the files stay here, the server asks for what it needs. */
export async function attach({ cwd = process.cwd(), server, token }: AttachOptions): Promise<void> {
  const config = readConfig()
  const secret = token ?? config.token
  if (!secret)
    throw new Exit(
      EXIT_CODES.invalid,
      'a token is needed: --token, or FILEWRIGHT_TOKEN in the environment',
    )
  const root = realpathSync(cwd)
  const key = createHash('sha256').update(`${server}\n${root}`).digest('hex').slice(0, 16)
  const engines = {
    text: createInProcessEngine({ loadFormat }),
    hostile: createProcessEngine({ command: engineCommand() }),
  }
  const client = await startClient({
    workspace: unwrapOrExit(await openDiskWorkspace(root)),
    stateRoot: join(config.stateRoot, 'attached', key),
    engines,
    fetch: request => fetch(request),
    origin: new URL(server).origin,
    token: secret,
    key,
    name: basename(root) || root,
    onError: error => note(error instanceof Error ? error.message : String(error)),
  }).catch(error => {
    throw new Exit(
      EXIT_CODES.unavailable,
      `cannot attach to ${server}: ${error instanceof Error ? error.message : error}`,
    )
  })
  note(`Offering ${root} to ${server} as ${client.workspaceId}. Ctrl-C ends it.`)
  await untilStopped()
  await client.close()
  await engines.hostile.close()
}
