import { bind } from '../bind.ts'
import { workspaceCreateFileClient } from './client.ts'
import { workspaceCreateFileHooks } from './hooks.ts'
import { workspaceCreateFile } from './tool.ts'

export default bind(
  workspaceCreateFile,
  { client: workspaceCreateFileClient },
  workspaceCreateFileHooks,
)
