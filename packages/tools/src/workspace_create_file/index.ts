import { bind } from '../bind.ts'
import { workspaceCreateFileClient } from './client.ts'
import { workspaceCreateFile } from './tool.ts'

export default bind(workspaceCreateFile, { client: workspaceCreateFileClient })
