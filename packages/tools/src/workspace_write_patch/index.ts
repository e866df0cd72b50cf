import { bind } from '../bind.ts'
import { workspaceWritePatchClient } from './client.ts'
import { workspaceWritePatchPreflight } from './server.ts'
import { workspaceWritePatch } from './tool.ts'

export default bind(workspaceWritePatch, {
  preflight: workspaceWritePatchPreflight,
  client: workspaceWritePatchClient,
})
