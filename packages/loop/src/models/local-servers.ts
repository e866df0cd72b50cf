import { getJson } from './http-get.ts'

/** Servers that people run on their own machine, at the ports they choose by themselves. */
export const LOCAL_SERVERS = [
  { provider: 'ollama', title: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1' },
  { provider: 'lmstudio', title: 'LM Studio', baseUrl: 'http://127.0.0.1:1234/v1' },
  { provider: 'llamacpp', title: 'llama.cpp', baseUrl: 'http://127.0.0.1:8080/v1' },
  { provider: 'vllm', title: 'vLLM', baseUrl: 'http://127.0.0.1:8000/v1' },
] as const satisfies readonly LocalServer[]

export interface LocalServer {
  readonly provider: string
  readonly title: string
  readonly baseUrl: string
  readonly apiKey?: string
}

export interface FoundServer extends LocalServer {
  readonly models: readonly string[]
}

/** A port where nobody listens refuses at once; one that takes the connection on a busy machine may be slow to answer. */
export const PROBE_MS = 3_000

/** Which of them run, and with which models. Bounded in time; a port where something else listens is passed over. */
export async function findLocalServers(
  servers: readonly LocalServer[] = LOCAL_SERVERS,
  timeoutMs: number = PROBE_MS,
): Promise<readonly FoundServer[]> {
  const signal = AbortSignal.timeout(timeoutMs)
  const found = await Promise.all(servers.map(server => probe(server, signal)))
  return found.flatMap(server => server ?? [])
}

async function probe(server: LocalServer, signal: AbortSignal): Promise<FoundServer | undefined> {
  const headers: Record<string, string> = server.apiKey
    ? { authorization: `Bearer ${server.apiKey}` }
    : {}
  const listed = (await getJson(new URL(`${server.baseUrl}/models`), headers, signal)) as
    | { data?: unknown }
    | undefined
  if (!Array.isArray(listed?.data)) return undefined
  const models = listed.data
    .map((one: { id?: unknown }) => one?.id)
    .filter(id => typeof id === 'string')
  return { ...server, models }
}
