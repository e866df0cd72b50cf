import { bind } from '../bind.ts'
import { workspaceListActiveFilesServer } from './server.ts'
import { workspaceListActiveFiles } from './tool.ts'

export default bind(workspaceListActiveFiles, { server: workspaceListActiveFilesServer })
