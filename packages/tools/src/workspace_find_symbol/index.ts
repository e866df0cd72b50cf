import { bind } from '../bind.ts'
import { workspaceFindSymbolServer } from './server.ts'
import { workspaceFindSymbol } from './tool.ts'

export default bind(workspaceFindSymbol, { server: workspaceFindSymbolServer })
