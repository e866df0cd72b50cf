import { openChatModel } from '../../dialects/chat-completions/open-chat-model.ts'
import type { Provider } from '../../port/provider.ts'
import { endpointOf } from './host.ts'

const ollama: Provider<never, 'host'> = {
  id: 'ollama',
  title: 'Ollama',
  needs: {},
  takes: { host: { variables: ['OLLAMA_HOST'], help: 'the address of Ollama' } },
  local: {
    isPreferred: true,
    baseUrl: ({ host }) => {
      const baseUrl = endpointOf(host)
      return /^http:\/\/(127\.|localhost\b|\[::1\])/.test(baseUrl) ? baseUrl : undefined
    },
    callsTools: async (served, signal) =>
      (await import('./calls-tools.ts')).callsTools(served, signal),
  },
  model: (id, { host }) => openChatModel(`ollama/${id}`, id, { baseUrl: endpointOf(host) }),
}

export default ollama
