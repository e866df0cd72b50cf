import { openChatModel } from '../../dialects/chat-completions/open-chat-model.ts'
import type { Provider } from '../../port/provider.ts'
import { isOnThisMachine } from '../../wire/endpoint-url.ts'
import { endpointOf } from './host.ts'

const ollama: Provider<never, 'host'> = {
  id: 'ollama',
  title: 'Ollama',
  needs: {},
  takes: {
    host: { variables: ['OLLAMA_HOST'], name: 'ollama-url', help: 'the address of Ollama' },
  },
  local: {
    isPreferred: true,
    baseUrl: ({ host }) => {
      const baseUrl = endpointOf(host)
      return isOnThisMachine(baseUrl) ? baseUrl : undefined
    },
    callsTools: async (served, signal) =>
      (await import('./calls-tools.ts')).callsTools(served, signal),
  },
  model: (id, { host }, { set }) =>
    openChatModel(`ollama/${id}`, id, {
      baseUrl: endpointOf(host),
      ...(set.outputTokens !== undefined && { outputTokens: set.outputTokens }),
    }),
}

export default ollama
