import { bind } from '../bind.ts'
import { writeTextFileClient } from './client.ts'
import { writeTextFile } from './tool.ts'

export default bind(writeTextFile, { client: writeTextFileClient })
