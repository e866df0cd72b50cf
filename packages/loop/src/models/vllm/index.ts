import { localProvider } from '../../dialects/chat-completions/local-provider.ts'

export default localProvider({
  id: 'vllm',
  title: 'vLLM',
  baseUrl: 'http://127.0.0.1:8000/v1',
})
