import { bind } from '../bind.ts'
import { updatePlanServer } from './server.ts'
import { updatePlan } from './tool.ts'

export default bind(updatePlan, { server: updatePlanServer })
