import { localProvider } from '../../dialects/chat-completions/local-provider.ts'

export default localProvider({
  id: 'llamacpp',
  title: 'llama.cpp',
  baseUrl: 'http://127.0.0.1:8080/v1',
})
