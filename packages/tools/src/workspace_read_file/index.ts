import { bind } from '../bind.ts'
import { workspaceReadFileServer } from './server.ts'
import { workspaceReadFile } from './tool.ts'

export default bind(workspaceReadFile, { server: workspaceReadFileServer })
