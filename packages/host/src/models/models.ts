import {
  findLocalModel,
  LOCAL_SERVERS,
  type LocalServer,
  type Model,
  resolveModel,
  shownAddress,
} from '@filewright/loop'
import { ok, type Result } from '@filewright/protocol'
import type { Config } from '../settings/config.ts'
import { demoScript } from './demo.ts'

/** Where a model is and what opens it, as the environment of one process and the settings say. */
export type ModelPlace = Pick<
  Config,
  'model' | 'baseUrl' | 'apiKey' | 'ollamaHost' | 'keys' | 'baseUrls'
>

const DEMO = 'scripted/demo'

export interface ModelResolver {
  /** The model a name stands for: the command line, the environment, or the demo that needs no key. */
  resolve(name: string | undefined): Promise<Result<Model>>
  /** What a later process was started with: its environment is not the owner's. Kept in memory alone. */
  learn(place: ModelPlace): void
}

export function modelResolver(readPlace: () => ModelPlace): ModelResolver {
  const learned = new Map<string, ModelPlace>()
  function find(name: string | undefined): Result<Model> {
    const own = readPlace()
    const model = name ?? own.model ?? DEMO
    const ollama = ollamaUrl(own.ollamaHost)
    const told = learned.get(model)
    return resolveModel({
      model,
      baseUrl: told?.baseUrl ?? own.baseUrl,
      apiKey: told?.apiKey ?? own.apiKey,
      keys: { ...own.keys, ...told?.keys },
      baseUrls: { ...own.baseUrls, ...told?.baseUrls },
      ...(ollama && { endpoints: { ollama: { baseUrl: ollama } } }),
      scripts: { demo: demoScript },
    })
  }

  /** Nobody chose a model: one that can call tools, at the base URL or on this machine, else the demonstration. */
  async function choose(): Promise<Result<Model>> {
    const place = readPlace()
    const chosen = place.baseUrl ? await chooseAt(place.baseUrl, place) : await chooseHere(place)
    if (!chosen) return find(DEMO)
    const found = find(chosen.name)
    if (!found.ok) return found
    const notice = `No model is set: this run uses ${chosen.name}, which ${chosen.where}. --model, FILEWRIGHT_MODEL or "filewright config" choose another.`
    return ok({ ...found.value, notice })
  }

  return {
    resolve: async name => ((name ?? readPlace().model) ? find(name) : choose()),
    learn(place) {
      if (place.model === undefined) return
      learned.set(place.model, place)
      const found = find(place.model)
      if (found.ok) learned.set(found.value.name, place) // as the log names it, for a resume
    },
  }
}

interface Chosen {
  readonly name: string
  readonly where: string
}

async function chooseHere(place: ModelPlace): Promise<Chosen | undefined> {
  const local = await findLocalModel(localServers(place))
  return local && { name: local.name, where: `${local.title} offers on this machine` }
}

const ENDPOINT_MS = 3_000 // it may be on another machine

async function chooseAt(baseUrl: string, { apiKey }: ModelPlace): Promise<Chosen | undefined> {
  const server = { provider: 'base-url', title: baseUrl, baseUrl, apiKey }
  const found = await findLocalModel([server], ENDPOINT_MS)
  const where = `${shownAddress(baseUrl, apiKey)} offers`
  return found && { name: found.name.slice('base-url/'.length), where }
}

/** Those on this machine; an Ollama that its variable puts elsewhere is used when it is named. */
export function localServers({
  ollamaHost,
}: Pick<ModelPlace, 'ollamaHost'>): readonly LocalServer[] {
  const baseUrl = ollamaUrl(ollamaHost)
  if (!baseUrl) return LOCAL_SERVERS
  const isHere = /^http:\/\/(127\.|localhost\b|\[::1\])/.test(baseUrl)
  return LOCAL_SERVERS.flatMap(server =>
    server.provider !== 'ollama' ? server : isHere ? { ...server, baseUrl } : [],
  )
}

/** `OLLAMA_HOST` is what the server binds to: a host, a port, both, or an address; undefined for anything else. */
export function ollamaUrl(host: string | undefined): string | undefined {
  const given = host?.trim() ?? ''
  if (given === '') return undefined
  const address = given.includes('://') ? given : `http://${given.replace(/^:/, '127.0.0.1:')}`
  try {
    const url = new URL(address)
    if (url.port === '' && !given.includes('://')) url.port = '11434'
    if (url.hostname === '0.0.0.0' || url.hostname === '[::]') url.hostname = '127.0.0.1'
    return `${url.origin}/v1`
  } catch {
    return undefined
  }
}
