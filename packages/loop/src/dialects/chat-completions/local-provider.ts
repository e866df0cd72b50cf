import type { LocalServer, Provider } from '../../port/provider.ts'
import { openChatModel } from './open-chat-model.ts'

export interface LocalFacts {
  readonly id: string
  readonly title: string
  /** Where it listens unless it is set up otherwise. */
  readonly baseUrl: string
  readonly callsTools?: LocalServer['callsTools']
}

/** A server on the person's own machine, at its usual port. For one elsewhere a person sets the base URL. */
export function localProvider({
  id,
  title,
  baseUrl,
  callsTools,
}: LocalFacts): Provider<never, never> {
  return {
    id,
    title,
    needs: {},
    takes: {},
    local: { baseUrl: () => baseUrl, callsTools },
    model: model => openChatModel(`${id}/${model}`, model, { baseUrl }),
  }
}
