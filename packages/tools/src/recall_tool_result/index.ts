import { bind } from '../bind.ts'
import { recallToolResultServer } from './server.ts'
import { recallToolResult } from './tool.ts'

export default bind(recallToolResult, { server: recallToolResultServer })
