import type { Work } from '@filewright/host'
import { CODES, RpcError } from './rpc-error.ts'

export type Params = Readonly<Record<string, unknown>>

/** What a method of JSON-RPC takes and does. */
export interface Method {
  /** The names of its parameters; the older snake_case of one is taken too. */
  readonly takes: readonly string[]
  readonly needs: readonly string[]
  run(params: Params, asked: Asked): Promise<unknown>
}

/** One request under way. */
export interface Asked {
  readonly work: Work
  readonly id: string | number | null
  /** `$/cancelRequest` calls it; the request is answered all the same. */
  onCancel(cancel: () => void): void
}

/** The parameters by their names, or a refusal that names what is wrong: a misspelt one could widen the request. */
export function readParams(name: string, { takes, needs }: Method, given: Params): Params {
  const read: Record<string, unknown> = {}
  const unknown: string[] = []
  for (const [key, value] of Object.entries(given)) {
    const camel = key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
    if (takes.includes(key)) read[key] = value
    else if (takes.includes(camel)) read[camel] = value
    else unknown.push(JSON.stringify(key))
  }
  if (unknown.length > 0) {
    const known = takes.length > 0 ? `it takes ${takes.join(', ')}` : 'it takes none'
    throw new RpcError(CODES.params, `${name} has no parameter ${unknown.join(', ')}; ${known}.`)
  }
  const missing = needs.filter(key => read[key] === undefined || read[key] === '')
  if (missing.length > 0)
    throw new RpcError(CODES.params, `${name} needs ${missing.map(quoted).join(' and ')}.`)
  return read
}

function quoted(name: string): string {
  return `"${name}"`
}
