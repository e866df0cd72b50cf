import { bind } from '../bind.ts'
import { editTextFileClient } from './client.ts'
import { editTextFile } from './tool.ts'

export default bind(editTextFile, { client: editTextFileClient })
