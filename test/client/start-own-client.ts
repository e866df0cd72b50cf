import { type Client, type ClientOptions, openClientState, startClient } from '@filewright/client'
import { loadFormat } from '@filewright/documents'
import { createInProcessEngine } from '@filewright/engine'
import { NO_OFFICE } from '../no-office.ts'
import type { Served } from './served.ts'

/** The product's client on a folder, offered to a server as `attach` does; it works on every format in this process. */
export async function startOwnClient(
  { origin, token }: Pick<Served, 'origin' | 'token'>,
  {
    stateRoot,
    ...options
  }: Pick<ClientOptions, 'workspace'> & Partial<ClientOptions> & { readonly stateRoot: string },
): Promise<Client> {
  const engine = createInProcessEngine({ loadFormat })
  return startClient({
    state: await openClientState(stateRoot),
    engines: { trusted: engine, hostile: engine, office: NO_OFFICE },
    fetch: request => fetch(request),
    origin,
    token,
    key: 'own',
    name: 'own',
    ...options,
  })
}
