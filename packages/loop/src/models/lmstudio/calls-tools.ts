import type { ServedModels } from '../../port/provider.ts'
import { getJson } from '../../wire/http-json.ts'

interface ListedModel {
  readonly id?: unknown
  readonly type?: unknown
  readonly capabilities?: unknown
}

/** LM Studio's own list answers for all models at once. */
export async function callsTools(
  { baseUrl }: ServedModels,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, boolean>> {
  const known = new Map<string, boolean>()
  const listed = await getJson(new URL('/api/v0/models', baseUrl), {}, signal)
  const { data } = (listed ?? {}) as { data?: unknown }
  for (const { id, type, capabilities } of Array.isArray(data) ? (data as ListedModel[]) : []) {
    if (typeof id !== 'string') continue
    if (type === 'embeddings') known.set(id, false)
    else if (Array.isArray(capabilities)) known.set(id, capabilities.includes('tool_use'))
  }
  return known
}
