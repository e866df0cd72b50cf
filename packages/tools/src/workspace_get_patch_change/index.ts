import { bind } from '../bind.ts'
import { workspaceGetPatchChangeServer } from './server.ts'
import { workspaceGetPatchChange } from './tool.ts'

export default bind(workspaceGetPatchChange, { server: workspaceGetPatchChangeServer })
