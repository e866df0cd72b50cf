import { bind } from '../bind.ts'
import { writtenFile } from '../written-file.ts'
import { workspaceEditFileClient } from './client.ts'
import { workspaceEditFile } from './tool.ts'

export default bind(
  workspaceEditFile,
  { client: workspaceEditFileClient },
  { toEffects: ({ path }) => writtenFile(path, 'changed') },
)
