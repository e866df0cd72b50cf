import { bind } from '../bind.ts'
import { workspaceSearchServer } from './server.ts'
import { workspaceSearch } from './tool.ts'

export default bind(workspaceSearch, { server: workspaceSearchServer })
