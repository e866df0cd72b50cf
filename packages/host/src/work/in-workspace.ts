import { unwrapOrExit } from '../exit/exit.ts'
import { note } from '../exit/note.ts'
import type { FaceRoute } from '../owner/face-routes.ts'
import { readConfig } from '../settings/config.ts'
import { connect } from './connection.ts'
import { currentFolder, type FolderOptions, refuseStateInside, type Work } from './work.ts'

/** Connects, opens the folder, works, and lets go of everything, however the work ends. */
export async function inWorkspace(
  routes: readonly FaceRoute[],
  { cwd, allowLarge }: FolderOptions,
  work: (work: Work) => Promise<void>,
): Promise<void> {
  const config = readConfig()
  const dir = cwd ?? currentFolder()
  refuseStateInside(dir, config)
  const connection = unwrapOrExit(await connect(config, { routes }))
  try {
    const workspace = unwrapOrExit(await connection.openWorkspace(dir, { allowLarge }))
    for (const sentence of workspace.recovery) note(sentence)
    await work({
      config,
      connection,
      workspace,
      params: { workspaceId: workspace.workspaceId },
    })
  } finally {
    await connection.close()
  }
}
