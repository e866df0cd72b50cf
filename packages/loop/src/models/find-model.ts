import { type FoundServer, findServers, type ModelServer, PROBE_MS } from './model-servers.ts'

export interface OfferedModel {
  /** As a person would name it. */
  readonly name: string
  /** The server's common name. */
  readonly title: string
}

const NO_CHAT = /embed|rerank|whisper|-tts\b/i

/**
 * A model of these servers that can call tools. One whose server says so goes before one whose server says nothing; one
 * that cannot is never taken. Bounded in time.
 */
export async function findModel(
  servers: readonly ModelServer[],
  timeoutMs: number = PROBE_MS,
): Promise<OfferedModel | undefined> {
  const signal = AbortSignal.timeout(timeoutMs)
  const found = await findServers(servers, timeoutMs)
  const known = await Promise.all(found.map(server => server.callsTools?.(server, signal)))
  const said = found.flatMap((server, i) => candidates(server, known[i], true))
  const unsaid = found.flatMap((server, i) => candidates(server, known[i], undefined))
  return said[0] ?? unsaid[0]
}

function candidates(
  { models, prefix, title }: FoundServer,
  known: ReadonlyMap<string, boolean> | undefined,
  callsTools: true | undefined,
): OfferedModel[] {
  return models
    .filter(id => known?.get(id) === callsTools && !NO_CHAT.test(id))
    .map(id => ({ name: `${prefix}${id}`, title }))
}
