import { type Config, localServers, note, readConfig } from '@filewright/host'
import { findLocalServers, shownAddress } from '@filewright/loop'
import { answer, answerJson } from '../output/output.ts'

/** What is set, and what runs on this machine. */
export async function listModels({ json }: { json?: boolean }): Promise<void> {
  const config = readConfig()
  const [servers, own] = await Promise.all([
    findLocalServers(localServers(config)),
    ownModels(config),
  ])
  const found = servers.flatMap(server => server.models.map(id => `${server.provider}/${id}`))
  const hosted = Object.keys(config.keys)
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
  answer('scripted/demo  (a demonstration, no model)')
  if (!config.model && own.length === 0 && found.length === 0 && hosted.length === 0)
    note(
      'No model is set. Set FILEWRIGHT_MODEL (and FILEWRIGHT_BASE_URL for an endpoint of your own), or start Ollama or LM Studio.',
    )
}

const ENDPOINT_MS = 3_000 // it may be on another machine

/** What the endpoint of the settings offers; nothing where it does not say. */
async function ownModels({ baseUrl, apiKey }: Config): Promise<readonly string[]> {
  if (!baseUrl) return []
  const endpoint = { provider: 'base-url', title: 'The base URL', baseUrl, apiKey }
  const [found] = await findLocalServers([endpoint], ENDPOINT_MS)
  return found?.models ?? []
}
