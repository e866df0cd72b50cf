import {
  demonstrations,
  findServers,
  localServers,
  type Model,
  providers,
  providersSetUp,
  shownAddress,
} from '@filewright/loop'
import {
  type CurrentModel,
  fail,
  type GivenBody,
  type ModelProvider,
  type ModelSettings,
  ok,
  type Result,
  type TriedModel,
} from '@filewright/protocol'
import type { Config } from '../settings/config.ts'
import { API_KEY, BASE_URL, MODEL } from '../settings/settings.ts'
import { writeSetting } from '../settings/settings-file.ts'
import type { ModelResolver } from './models.ts'

export interface ModelDesk {
  models(): Promise<ModelSettings>
  setModel(given: GivenBody<'setModel'>): Promise<Result<ModelSettings>>
  tryModel(model: string | undefined): Promise<TriedModel>
}

const ENDPOINT_MS = 3_000 // it may be on another machine
const TRY_MS = 60_000 // a local server may have to load the model first

/** The model settings for a person at the page: keys go in, and never out. */
export function createModelDesk(
  readConfig: () => Config,
  { resolve }: Pick<ModelResolver, 'resolve'>,
): ModelDesk {
  async function models(): Promise<ModelSettings> {
    const config = readConfig()
    const { baseUrl, apiKey } = config
    const setUp = providersSetUp(config.providers)
    const address = baseUrl && shownAddress(baseUrl, apiKey)
    return {
      current: toCurrent(await resolve(undefined)),
      providers: providers
        .filter(({ demonstration, local }) => !demonstration && !local)
        .map(provider => toShown(provider, setUp)),
      endpoint: { ...(address && { baseUrl: address }), hasKey: apiKey !== undefined },
      found: await findOffered(config),
    }
  }

  return {
    models,
    async setModel(given) {
      const refused = keep(readConfig(), given)
      if (refused) return refused
      const now = readConfig()
      const wanted = given.model?.trim()
      if (wanted && now.model !== wanted)
        return fail(
          'CONFLICT',
          `Runs still use ${now.model}: FILEWRIGHT_MODEL in the environment of this server goes before the settings. Start it without that variable.`,
        )
      return ok(await models())
    },
    async tryModel(name) {
      const begun = performance.now()
      const found = await resolve(name)
      const said = found.ok
        ? await ask(found.value)
        : { answers: false, message: found.failure.message }
      const model = found.ok ? found.value.name : (name ?? '')
      return { model, ...said, milliseconds: Math.round(performance.now() - begun) }
    },
  }
}

/** A new host gets no key that was given to another. */
function keep(
  { stateRoot, secrets, baseUrl: before, shared }: Config,
  { model, provider: id, baseUrl, apiKey }: GivenBody<'setModel'>,
): Result<never> | undefined {
  if (shared)
    return fail(
      'DENIED',
      'Nothing was set: other instances serve this too, and a page reaches one of them. Whoever runs the server sets models, addresses and keys for every instance, in its environment or with "filewright config".',
    )
  const provider = id === undefined ? undefined : providers.find(each => each.id === id)
  if (id !== undefined && !provider)
    return fail('NOT_FOUND', `Nothing was set: there is no provider "${id}".`)
  if (baseUrl && !isAddress(baseUrl))
    return fail(
      'INVALID_ARGUMENT',
      'Nothing was set: the address must begin with http:// or https://, such as http://127.0.0.1:8000/v1.',
    )
  const setting = provider
    ? Object.values(provider.needs).find(({ isSecret }) => isSecret)
    : API_KEY
  if (apiKey !== undefined && !setting?.name)
    return fail('INVALID_ARGUMENT', `Nothing was set: ${provider?.title} takes no key.`)
  const isNewHost = baseUrl !== undefined && hostOf(baseUrl) !== hostOf(before ?? '')
  const place = { stateRoot, secrets }
  if (baseUrl !== undefined) writeSetting(place, BASE_URL, baseUrl.trim() || undefined)
  if (isNewHost && apiKey === undefined) writeSetting(place, API_KEY, undefined)
  if (apiKey !== undefined && setting?.name)
    writeSetting(place, { ...setting, name: setting.name }, apiKey.trim() || undefined)
  if (model !== undefined) writeSetting(place, MODEL, model.trim() || undefined)
  return undefined
}

function isAddress(text: string): boolean {
  return /^https?:\/\//.test(text.trim()) && URL.canParse(text.trim())
}

function hostOf(address: string): string {
  return URL.canParse(address.trim()) ? new URL(address.trim()).host : ''
}

async function findOffered({ providers: values, baseUrl, apiKey, shared }: Config) {
  const endpoint = baseUrl && { title: shownAddress(baseUrl, apiKey), prefix: '', baseUrl, apiKey }
  const [local, own] = await Promise.all([
    shared ? [] : findServers(localServers(values)), // the machine is not the person's
    endpoint ? findServers([endpoint], ENDPOINT_MS) : [],
  ])
  return [...own, ...local].flatMap(({ title, prefix, models }) =>
    models.map(id => ({ name: `${prefix}${id}`, where: title })),
  )
}

function toCurrent(found: Result<Model>): CurrentModel {
  if (!found.ok) return { problem: found.failure.message, isDemonstration: false }
  const { name, facts } = found.value
  return {
    name,
    address: found.value.endpoint(),
    isDemonstration: demonstrations.some(each => each.name === name),
    ...(facts.contextTokens !== undefined && { contextTokens: facts.contextTokens }),
  }
}

function toShown(
  { id, title, needs, known }: (typeof providers)[number],
  setUp: readonly string[],
): ModelProvider {
  const needsKey = Object.values(needs).some(({ isSecret }) => isSecret)
  const models = Object.keys(known?.models ?? {}).map(model => `${id}/${model}`)
  return { id, title, needsKey, hasKey: setUp.includes(id), models }
}

async function ask(model: Model): Promise<Pick<TriedModel, 'answers' | 'message'>> {
  let text = ''
  const signal = AbortSignal.timeout(TRY_MS)
  const messages = [{ role: 'user', text: 'Say hello in one word.' } as const]
  const asked = { system: 'Answer with one word.', messages, tools: [], step: 0, signal }
  for await (const event of model.stream(asked)) {
    if (event.type === 'failure') return { answers: false, message: event.failure.message }
    if (event.type === 'text') text += event.text
  }
  return { answers: true, message: `${model.name} answers: ${text.trim().slice(0, 80)}` }
}
