import { runEngineHost } from '../run-host.ts'
import { trapFormat } from './trap-format.ts'

runEngineHost(async () => trapFormat)
