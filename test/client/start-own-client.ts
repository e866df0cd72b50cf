import { type Client, type ClientOptions, startClient } from '@filewright/client'
import { loadFormat } from '@filewright/documents'
import { createInProcessEngine } from '@filewright/engine'
import type { Served } from './served.ts'

/** The product's client on a folder, offered to a server as `attach` does; it works on every format in this process. */
export function startOwnClient(
  { origin, token }: Pick<Served, 'origin' | 'token'>,
  options: Pick<ClientOptions, 'workspace' | 'stateRoot'> & Partial<ClientOptions>,
): Promise<Client> {
  const engine = createInProcessEngine({ loadFormat })
  return startClient({
    engines: { trusted: engine, hostile: engine },
    fetch: request => fetch(request),
    origin,
    token,
    key: 'own',
    name: 'own',
    ...options,
  })
}
