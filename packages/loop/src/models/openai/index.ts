import { hosted } from '../../dialects/ai-sdk/hosted.ts'
import { known } from './known.ts'

export default hosted({
  id: 'openai',
  title: 'OpenAI',
  keyVariables: ['OPENAI_API_KEY'],
  addressVariables: ['OPENAI_BASE_URL'],
  family: /^(gpt-|o\d|chatgpt-)/,
  known,
  load: async () => (await import('./model.ts')).createOpenAi,
})
