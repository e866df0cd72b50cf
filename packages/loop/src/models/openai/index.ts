import { hosted } from '../../dialects/ai-sdk/hosted.ts'

export default hosted({
  id: 'openai',
  title: 'OpenAI',
  keyVariables: ['OPENAI_API_KEY'],
  addressVariables: ['OPENAI_BASE_URL'],
  family: /^(gpt-|o\d|chatgpt-)/,
  load: async () => (await import('./model.ts')).createOpenAi,
})
