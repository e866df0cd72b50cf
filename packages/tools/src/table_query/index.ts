import { bind } from '../bind.ts'
import { tableQueryClient } from './client.ts'
import { tableQuery } from './tool.ts'

export default bind(tableQuery, { client: tableQueryClient })
