import { getJson, postJson } from './http-get.ts'
import {
  type FoundServer,
  findLocalServers,
  LOCAL_SERVERS,
  type LocalServer,
  PROBE_MS,
} from './local-servers.ts'

export interface LocalModel {
  /** `provider/id`. */
  readonly name: string
  /** Of the server, as people call it. */
  readonly title: string
}

const ASKED = 12 // models of one server that are asked about; a person with more has chosen a model long ago
const NO_CHAT = /embed|rerank|whisper|-tts\b/i

/**
 * A model on this machine that can call tools. One whose server says so goes before one whose server says nothing; one
 * that cannot is never taken. Bounded in time.
 */
export async function findLocalModel(
  servers: readonly LocalServer[] = LOCAL_SERVERS,
  timeoutMs: number = PROBE_MS,
): Promise<LocalModel | undefined> {
  const signal = AbortSignal.timeout(timeoutMs)
  const found = await findLocalServers(servers, timeoutMs)
  const known = await Promise.all(found.map(server => withTools(server, signal)))
  const told = found.flatMap((server, i) => candidates(server, known[i]!, true))
  const untold = found.flatMap((server, i) => candidates(server, known[i]!, undefined))
  return told[0] ?? untold[0]
}

type Knowledge = ReadonlyMap<string, boolean>

function candidates(server: FoundServer, known: Knowledge, told: true | undefined): LocalModel[] {
  return server.models
    .filter(id => known.get(id) === told && !NO_CHAT.test(id))
    .map(id => ({ name: `${server.provider}/${id}`, title: server.title }))
}

/** Which of a server's models call tools, as far as it tells: Ollama of each, LM Studio of all; the others serve one. */
async function withTools(server: FoundServer, signal: AbortSignal): Promise<Knowledge> {
  if (server.provider === 'ollama') return askOllama(server, signal)
  if (server.provider === 'lmstudio') return askLmStudio(server, signal)
  return new Map()
}

async function askOllama({ baseUrl, models }: FoundServer, signal: AbortSignal) {
  const known = new Map<string, boolean>()
  await Promise.all(
    models.slice(0, ASKED).map(async model => {
      const shown = await postJson(new URL('/api/show', baseUrl), { model }, signal)
      const { capabilities } = (shown ?? {}) as { capabilities?: unknown }
      if (Array.isArray(capabilities)) known.set(model, capabilities.includes('tools'))
    }),
  )
  return known
}

interface LmStudioModel {
  readonly id?: unknown
  readonly type?: unknown
  readonly capabilities?: unknown
}

async function askLmStudio({ baseUrl }: FoundServer, signal: AbortSignal) {
  const known = new Map<string, boolean>()
  const listed = await getJson(new URL('/api/v0/models', baseUrl), {}, signal)
  const { data } = (listed ?? {}) as { data?: unknown }
  for (const { id, type, capabilities } of Array.isArray(data) ? (data as LmStudioModel[]) : []) {
    if (typeof id !== 'string') continue
    if (type === 'embeddings') known.set(id, false)
    else if (Array.isArray(capabilities)) known.set(id, capabilities.includes('tool_use'))
  }
  return known
}
