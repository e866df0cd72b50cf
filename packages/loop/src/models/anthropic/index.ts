import { hosted } from '../../dialects/ai-sdk/hosted.ts'
import { known } from './known.ts'

export default hosted({
  id: 'anthropic',
  title: 'Anthropic',
  keyVariables: ['ANTHROPIC_API_KEY'],
  addressVariables: ['ANTHROPIC_BASE_URL'],
  family: /^claude-/,
  known,
  load: async () => (await import('./model.ts')).createAnthropic,
})
