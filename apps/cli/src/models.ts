import { type Model, resolveModel } from '@filewright/loop'
import type { Result } from '@filewright/protocol'
import type { Config } from './config.ts'
import { demoScript } from './demo.ts'

/** The model a name stands for: the command line, the environment, or the demo that needs no key. */
export function modelResolver(
  config: Config,
): (name: string | undefined) => Promise<Result<Model>> {
  return async name => {
    const chosen = name ?? config.model
    return resolveModel({
      model: chosen ?? 'scripted/demo',
      baseUrl: config.baseUrl,
      apiKey: config.apiKey,
      keys: config.keys,
      scripts: { demo: demoScript },
    })
  }
}
