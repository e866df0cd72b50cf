import { bind } from '../bind.ts'
import { getFileInfoClient } from './client.ts'
import { getFileInfo } from './tool.ts'

export default bind(getFileInfo, { client: getFileInfoClient })
