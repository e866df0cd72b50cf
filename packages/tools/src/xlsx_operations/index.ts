import { bind } from '../bind.ts'
import { xlsxOperationsClient } from './client.ts'
import { xlsxOperations } from './tool.ts'

export default bind(xlsxOperations, { client: xlsxOperationsClient })
