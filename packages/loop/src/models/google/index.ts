import { hosted } from '../../dialects/ai-sdk/hosted.ts'
import { known } from './known.ts'

export default hosted({
  id: 'google',
  title: 'Google',
  keyVariables: ['GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
  addressVariables: ['GOOGLE_GEMINI_BASE_URL'],
  family: /^gemini-/,
  known,
  load: async () => (await import('./model.ts')).createGoogle,
})
