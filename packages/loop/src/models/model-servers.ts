import type { ChatEndpoint } from '../dialects/chat-completions/endpoint.ts'
import { listModelIds } from '../dialects/chat-completions/list-model-ids.ts'
import type { LocalServer } from '../port/provider.ts'
import { type ValuesByProvider, valuesFor } from './provider-settings.ts'
import { providers } from './provider-table.ts'

/** An endpoint that may list what it serves. */
export interface ModelServer extends ChatEndpoint, Pick<LocalServer, 'callsTools'> {
  /** As people call it. */
  readonly title: string
  /** What comes before an id in a model's name: `ollama/`; nothing for the base URL. */
  readonly prefix: string
}

export interface FoundServer extends ModelServer {
  /** Ids. */
  readonly models: readonly string[]
}

/** A closed port refuses at once; a server on a busy machine may be slow to answer. */
export const PROBE_MS = 3_000

/** Servers that people run on their own machine, where the settings say that they listen. */
export function localServers(values: ValuesByProvider): readonly ModelServer[] {
  return providers.flatMap(({ id, title, local }) => {
    const baseUrl = local?.baseUrl(valuesFor(id, values))
    if (!local || baseUrl === undefined) return []
    return { title, prefix: `${id}/`, baseUrl, callsTools: local.callsTools }
  })
}

/** Which of them run, and with which models. Bounded in time; a port where something else listens is skipped. */
export async function findServers(
  servers: readonly ModelServer[],
  timeoutMs: number = PROBE_MS,
): Promise<readonly FoundServer[]> {
  const signal = AbortSignal.timeout(timeoutMs)
  const found = await Promise.all(
    servers.map(async server => {
      const models = await listModelIds(server, signal)
      return models && { ...server, models }
    }),
  )
  return found.flatMap(server => server ?? [])
}
