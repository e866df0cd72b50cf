import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { z } from 'zod'

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever a message has
export type Message = any

const file = createRequire(import.meta.url).resolve(
  '@agentclientprotocol/sdk/schema/v1/schema.json',
)
const { $schema, $defs } = JSON.parse(readFileSync(file, 'utf8'), withoutUnknown)

/** The schema lets a later version add kinds that this one does not know; we send none of them. */
function withoutUnknown(key: string, value: unknown): unknown {
  if (key !== 'anyOf' || !Array.isArray(value)) return value
  return value.filter(option => !('not' in Object(option)))
}

/** The published schema of each message that an agent sends: what it asks and tells, and what it answers. */
const schemas = new Map(
  Object.entries<{ 'x-method'?: string; 'x-side'?: string }>($defs).flatMap(
    ([name, definition]) => {
      const { 'x-method': method, 'x-side': side } = definition
      const isAsked = side === 'client' && /(Request|Notification)$/.test(name)
      const isAnswer = side === 'agent' && name.endsWith('Response')
      if (!isAsked && !isAnswer) return []
      const schema = z.fromJSONSchema({ $schema, $ref: `#/$defs/${name}`, $defs })
      return [[`${isAnswer ? 'answer to ' : ''}${method}`, schema] as const]
    },
  ),
)

const envelope = z.union([
  z.strictObject({
    jsonrpc: z.literal('2.0'),
    method: z.string(),
    id: z.union([z.string(), z.number()]).optional(),
    params: z.record(z.string(), z.unknown()).optional(),
  }),
  z.strictObject({
    jsonrpc: z.literal('2.0'),
    id: z.union([z.string(), z.number()]),
    result: z.unknown(),
  }),
  z.strictObject({
    jsonrpc: z.literal('2.0'),
    id: z.union([z.string(), z.number(), z.null()]),
    error: z.strictObject({ code: z.int(), message: z.string(), data: z.unknown().optional() }),
  }),
])

/** Throws for a frame that the schema does not allow. `answered`: the method that it answers. */
export function checkFrame(message: Message, answered: string | undefined): void {
  envelope.parse(message)
  if (message.error) return
  const name = message.method ?? (answered === undefined ? undefined : `answer to ${answered}`)
  if (name === undefined || name.startsWith('$/')) return
  const schema = schemas.get(name)
  if (!schema) throw new Error(`No message "${name}" is in the schema`)
  schema.parse(message.method ? message.params : message.result)
}
