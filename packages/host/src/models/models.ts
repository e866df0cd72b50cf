import {
  demonstrations,
  findModel,
  localServers,
  type Model,
  mergeValues,
  providers,
  resolveModel,
  shownAddress,
} from '@filewright/loop'
import { fail, ok, type Result } from '@filewright/protocol'
import type { Config } from '../settings/config.ts'

/** Where a model is and what opens it, as the environment of one process and the settings say. */
export type ModelPlace = Pick<
  Config,
  'model' | 'baseUrl' | 'apiKey' | 'providers' | 'modelFacts' | 'shared'
> &
  Partial<Pick<Config, 'unreadable'>>

export interface ModelResolver {
  /** Finds the model for a name: from the command line, the environment, or the demo that needs no key. */
  resolve(name: string | undefined): Promise<Result<Model>>
  /** What a later process was started with: its environment is not the owner's. Kept in memory alone. */
  learn(place: ModelPlace): Promise<void>
}

export function modelResolver(readPlace: () => ModelPlace): ModelResolver {
  const learned = new Map<string, ModelPlace>()
  async function find(name: string | undefined): Promise<Result<Model>> {
    const own = readPlace()
    const model = name ?? own.model ?? demonstrations[0]?.name
    const refused = own.shared && refuseLocal(model, own.providers)
    if (refused) return Promise.resolve(refused)
    const theirs = name === undefined ? undefined : learned.get(name) // a run started here has its own
    const found = await resolveModel({
      model,
      baseUrl: theirs?.baseUrl ?? own.baseUrl,
      apiKey: theirs?.apiKey ?? own.apiKey,
      facts: own.modelFacts,
      values: theirs ? mergeValues(theirs.providers, own.providers) : own.providers,
    })
    return found.ok ? found : noteUnreadable(found, own)
  }

  /** Nobody chose a model: one that can call tools, at the base URL or on this machine, else the demonstration. */
  async function choose(): Promise<Result<Model>> {
    const place = readPlace()
    const chosen = place.baseUrl ? await chooseAt(place.baseUrl, place) : await chooseHere(place)
    if (!chosen) return find(undefined)
    const found = await find(chosen.name)
    if (!found.ok) return found
    const notice = `No model is set: this run uses ${chosen.name}, which ${chosen.where}. Choose another with --model, FILEWRIGHT_MODEL or "filewright config".`
    return ok({ ...found.value, notice })
  }

  return {
    resolve: async name => ((name ?? readPlace().model) ? find(name) : choose()),
    async learn(place) {
      if (place.model === undefined) return
      learned.set(place.model, place)
      const found = await find(place.model)
      if (found.ok) learned.set(found.value.name, place) // as the log names it, for a resume
    },
  }
}

/** The key may be there, and closed. */
function noteUnreadable(
  { failure }: Extract<Result<Model>, { ok: false }>,
  { unreadable = [] }: ModelPlace,
): Result<Model> {
  if (unreadable.length === 0) return { ok: false, failure }
  const message = `${failure.message} Encrypted with a FILEWRIGHT_SECRET that is not set here: ${unreadable.join(', ')}.`
  return { ok: false, failure: { ...failure, message, errors: [message] } }
}

/** With a shared store, a name in a request reaches no server of this machine that its operator did not name. */
function refuseLocal(name: string | undefined, values: ModelPlace['providers']) {
  const provider = providers.find(({ id, local }) => local && name?.startsWith(`${id}/`))
  if (!provider || Object.keys(values[provider.id] ?? {}).length > 0) return undefined
  const settings = Object.values({ ...provider.needs, ...provider.takes })
  const variable = settings.flatMap(setting => setting?.variables ?? [])[0]
  return fail(
    'DENIED',
    `The model "${name}" was not asked: this server serves others too, and uses ${provider.title} only at an address that its environment names (${variable ?? 'FILEWRIGHT_BASE_URL'}).`,
  )
}

interface Chosen {
  readonly name: string
  readonly where: string
}

async function chooseHere({ providers, shared }: ModelPlace): Promise<Chosen | undefined> {
  if (shared) return undefined // the machine is not the person's
  const local = await findModel(localServers(providers))
  return local && { name: local.name, where: `${local.title} offers on this machine` }
}

const ENDPOINT_MS = 3_000 // it may be on another machine

async function chooseAt(baseUrl: string, { apiKey }: ModelPlace): Promise<Chosen | undefined> {
  const found = await findModel([{ title: baseUrl, prefix: '', baseUrl, apiKey }], ENDPOINT_MS)
  return found && { name: found.name, where: `${shownAddress(baseUrl, apiKey)} offers` }
}
