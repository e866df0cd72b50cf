import { bind } from '../bind.ts'
import { writtenFile } from '../written-file.ts'
import { workspaceWritePatchClient } from './client.ts'
import { workspaceWritePatchPreflight } from './server.ts'
import { workspaceWritePatch } from './tool.ts'

export default bind(
  workspaceWritePatch,
  { preflight: workspaceWritePatchPreflight, client: workspaceWritePatchClient },
  { toEffects: ({ files }) => files.flatMap(({ path }) => writtenFile(path, 'changed')) },
)
