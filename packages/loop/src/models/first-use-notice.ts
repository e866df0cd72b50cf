import type { Model } from '../port/model.ts'

/** What a person reads before the first request to a model that is not on this machine; nothing for one that is. */
export function firstUseNotice(model: Model): string | undefined {
  if (model.destination === null || isLoopback(model.destination)) return undefined
  return `${model.name} runs at ${model.destination}. Your messages, your file names and the parts of files that the model reads are sent there.`
}

function isLoopback(host: string): boolean {
  const name = host.replace(/:\d+$/, '')
  return (
    name === 'localhost' || name === '[::1]' || /^127\./.test(name) || name.endsWith('.localhost')
  )
}
