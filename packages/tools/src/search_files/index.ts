import { bind } from '../bind.ts'
import { searchFilesClient } from './client.ts'
import { searchFiles } from './tool.ts'

export default bind(searchFiles, { client: searchFilesClient })
