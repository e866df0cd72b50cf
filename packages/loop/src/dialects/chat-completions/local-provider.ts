import type { LocalServer, Provider } from '../../port/provider.ts'
import { isOnThisMachine } from '../../wire/endpoint-url.ts'
import { openChatModel } from './open-chat-model.ts'

export interface LocalFacts {
  readonly id: string
  readonly title: string
  /** Where it listens unless it is set up otherwise. */
  readonly baseUrl: string
  readonly callsTools?: LocalServer['callsTools']
}

/** A server on the person's own machine, at its usual port unless an address is set. */
export function localProvider({
  id,
  title,
  baseUrl,
  callsTools,
}: LocalFacts): Provider<never, 'address'> {
  return {
    id,
    title,
    needs: {},
    takes: {
      address: {
        variables: [`${id.toUpperCase()}_BASE_URL`],
        name: `${id}-url`,
        help: `the address of ${title}; default: ${baseUrl}`,
      },
    },
    local: {
      baseUrl: ({ address = baseUrl }) => (isOnThisMachine(address) ? address : undefined),
      callsTools,
    },
    model: (model, { address = baseUrl }, { set }) =>
      openChatModel(`${id}/${model}`, model, {
        baseUrl: address,
        ...(set.outputTokens !== undefined && { outputTokens: set.outputTokens }),
      }),
  }
}
