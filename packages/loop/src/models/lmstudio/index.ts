import { localProvider } from '../../dialects/chat-completions/local-provider.ts'

export default localProvider({
  id: 'lmstudio',
  title: 'LM Studio',
  baseUrl: 'http://127.0.0.1:1234/v1',
  callsTools: async (served, signal) =>
    (await import('./calls-tools.ts')).callsTools(served, signal),
})
