import { bind } from '../bind.ts'
import { listFilesClient } from './client.ts'
import { listFiles } from './tool.ts'

export default bind(listFiles, { client: listFilesClient })
