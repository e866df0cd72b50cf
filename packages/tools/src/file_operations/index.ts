import { bind } from '../bind.ts'
import { fileOperationsClient } from './client.ts'
import { fileOperations } from './tool.ts'

export default bind(fileOperations, { client: fileOperationsClient })
