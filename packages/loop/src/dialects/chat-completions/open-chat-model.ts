import { ok } from '@filewright/protocol'
import type { ModelResult } from '../../port/model.ts'
import { endpointUrl, toNoAddress } from '../../wire/endpoint-url.ts'
import type { ChatEndpoint } from './endpoint.ts'

/** A model behind an endpoint; `name` is what a person calls it, and requests carry `id`. */
export async function openChatModel(
  name: string,
  id: string,
  endpoint: ChatEndpoint & { readonly outputTokens?: number },
): Promise<ModelResult> {
  if (!endpointUrl(endpoint.baseUrl, '')) return toNoAddress(name, endpoint.baseUrl)
  const { createChatModel } = await import('./model.ts')
  return ok(createChatModel({ name, id, ...endpoint }))
}
