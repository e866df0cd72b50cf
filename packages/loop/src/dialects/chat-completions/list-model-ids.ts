import { endpointUrl } from '../../wire/endpoint-url.ts'
import { getJson } from '../../wire/http-json.ts'
import type { ChatEndpoint } from './endpoint.ts'

/** The ids that an endpoint offers; undefined where something else listens, or nothing. */
export async function listModelIds(
  endpoint: ChatEndpoint,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  const entries = await listEntries(endpoint, signal)
  return entries?.map(entry => field(entry, 'id')).filter(id => typeof id === 'string')
}

/** What an endpoint says of its models, entry by entry, each server in its own words. */
export async function listEntries(
  { baseUrl, apiKey }: ChatEndpoint,
  signal: AbortSignal,
): Promise<readonly unknown[] | undefined> {
  const url = endpointUrl(baseUrl, '/models')
  if (!url) return undefined
  const headers: Record<string, string> = apiKey ? { authorization: `Bearer ${apiKey.trim()}` } : {}
  const entries = field(await getJson(url, headers, signal), 'data')
  return Array.isArray(entries) ? entries : undefined
}

export function field(value: unknown, name: string): unknown {
  return value !== null && typeof value === 'object'
    ? (value as Record<string, unknown>)[name]
    : undefined
}
