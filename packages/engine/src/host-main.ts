import { loadFormat } from '@filewright/documents'
import { runEngineHost } from './run-host.ts'

await runEngineHost(loadFormat)
