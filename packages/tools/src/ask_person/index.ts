import { bind } from '../bind.ts'
import { askPersonServer } from './server.ts'
import { askPerson } from './tool.ts'

export default bind(askPerson, { server: askPersonServer })
