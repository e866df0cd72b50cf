import { defineCommand } from '@filewright/host'
import { asData } from '../options.ts'

export default defineCommand({
  name: 'models',
  summary: 'which models you can use',
  options: { json: asData },
  run: async given => (await import('./models.ts')).listModels(given),
})
