import { hosted } from '../../dialects/ai-sdk/hosted.ts'

export default hosted({
  id: 'google',
  title: 'Google',
  keyVariables: ['GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
  family: /^gemini-/,
  load: async () => (await import('./model.ts')).createGoogle,
})
