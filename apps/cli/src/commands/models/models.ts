import { type Config, note, readConfig, whileWaiting } from '@filewright/host'
import {
  demonstrations,
  findServers,
  localServers,
  providers,
  providersSetUp,
  shownAddress,
} from '@filewright/loop'
import { answer, answerJson } from '../../output/output.ts'

/** What is set, and what runs on this machine. */
export async function listModels({ json }: { json?: boolean }): Promise<void> {
  const config = readConfig()
  const [servers, own] = await whileWaiting('Looking for models', () =>
    Promise.all([findServers(localServers(config.providers)), ownModels(config)]),
  )
  const found = servers.flatMap(({ prefix, models }) => models.map(id => `${prefix}${id}`))
  const hosted = providersSetUp(config.providers)
  const address = config.baseUrl && shownAddress(config.baseUrl, config.apiKey)
  if (json)
    return answerJson({
      default: config.model ?? null,
      baseUrl: address ?? null,
      atBaseUrl: own,
      local: found,
      providersWithKeys: hosted,
    })
  if (config.model) answer(`${config.model}  (the default${address ? `, at ${address}` : ''})`)
  for (const id of own) answer(`${id}  (at ${address})`)
  for (const name of found) answer(`${name}  (runs on this machine)`)
  for (const provider of hosted) answer(`${provider}/…  (a key is set)`)
  for (const { name, shownAs } of demonstrations) answer(`${name}  (${shownAs})`)
  if (!config.model && own.length === 0 && found.length === 0 && hosted.length === 0)
    note(
      `No model is set. Set FILEWRIGHT_MODEL (and FILEWRIGHT_BASE_URL for an endpoint of your own), or start a local server: ${localTitles()}.`,
    )
}

/** Names for `--model`, as far as they are found in this time. */
export async function modelNames(ms: number): Promise<readonly string[]> {
  const config = readConfig()
  const [servers, own] = await Promise.all([
    findServers(localServers(config.providers), ms),
    ownModels(config, ms),
  ])
  const local = servers.flatMap(({ prefix, models }) => models.map(id => `${prefix}${id}`))
  const shown = demonstrations.map(({ name }) => name)
  return [...new Set([...(config.model ? [config.model] : []), ...own, ...local, ...shown])]
}

const ENDPOINT_MS = 3_000 // it may be on another machine

/** The models that the configured endpoint offers; none if it does not list them. */
async function ownModels(
  { baseUrl, apiKey }: Config,
  ms = ENDPOINT_MS,
): Promise<readonly string[]> {
  if (!baseUrl) return []
  const endpoint = { title: baseUrl, prefix: '', baseUrl, apiKey }
  const [found] = await findServers([endpoint], ms)
  return found?.models ?? []
}

function localTitles(): string {
  return providers.flatMap(({ title, local }) => (local ? title : [])).join(', ')
}
