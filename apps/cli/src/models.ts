import { type Model, resolveModel } from '@filewright/loop'
import type { Result } from '@filewright/protocol'
import type { Config } from './config.ts'
import { demoScript } from './demo.ts'

/** Where a model is and what opens it, as the environment of one process and the settings say. */
export type ModelPlace = Pick<Config, 'model' | 'baseUrl' | 'apiKey' | 'keys'>

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
    const model = name ?? own.model ?? 'scripted/demo'
    const told = learned.get(model)
    return resolveModel({
      model,
      baseUrl: told?.baseUrl ?? own.baseUrl,
      apiKey: told?.apiKey ?? own.apiKey,
      keys: { ...own.keys, ...told?.keys },
      scripts: { demo: demoScript },
    })
  }

  return {
    resolve: async name => find(name),
    learn(place) {
      if (place.model === undefined) return
      learned.set(place.model, place)
      const found = find(place.model)
      if (found.ok) learned.set(found.value.name, place) // as the log names it, for a resume
    },
  }
}
