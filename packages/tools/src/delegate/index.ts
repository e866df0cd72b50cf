import { bind } from '../bind.ts'
import { delegateServer } from './server.ts'
import { delegate } from './tool.ts'

export default bind(delegate, { server: delegateServer })
