import { bind } from '../bind.ts'
import { tableExportClient } from './client.ts'
import { tableExport } from './tool.ts'

export default bind(tableExport, { client: tableExportClient })
