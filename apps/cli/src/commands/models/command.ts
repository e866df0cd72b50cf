import { defineCommand } from '@filewright/host'
import { asData } from '../options.ts'

export default defineCommand({
  name: 'models',
  summary: 'what models are there',
  options: { json: asData },
  run: async given => (await import('./models.ts')).listModels(given),
})
