import { bind } from '../bind.ts'
import { workspaceListFilesServer } from './server.ts'
import { workspaceListFiles } from './tool.ts'

export default bind(workspaceListFiles, { server: workspaceListFilesServer })
