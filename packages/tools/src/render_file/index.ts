import { bind } from '../bind.ts'
import { renderFileClient } from './client.ts'
import { renderFile } from './tool.ts'

export default bind(renderFile, { client: renderFileClient })
