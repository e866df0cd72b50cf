import type { ServedModels } from '../../port/provider.ts'
import { postJson } from '../../wire/http-json.ts'

const ASKED = 12 // a person with more models than this chose one long ago

/** Ollama answers for one model at a time. */
export async function callsTools(
  { baseUrl, models }: ServedModels,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, boolean>> {
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
