import { bind } from '../bind.ts'
import { readFileClient } from './client.ts'
import { readFile } from './tool.ts'

export default bind(readFile, { client: readFileClient })
