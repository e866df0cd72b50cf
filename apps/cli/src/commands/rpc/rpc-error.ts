import type { Result } from '@filewright/protocol'

/** Codes of JSON-RPC 2.0; our own failures are in `data`. */
export const CODES = {
  parse: -32700,
  request: -32600,
  method: -32601,
  params: -32602,
  failure: -32000,
} as const

export class RpcError extends Error {
  readonly code: number
  readonly data: unknown
  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

export function unwrap<Value>(result: Result<Value>): Value {
  if (result.ok) return result.value
  const { message, code, kind, errors, details } = result.failure
  throw new RpcError(CODES.failure, message, { ...details, errorCode: code, kind, errors })
}

/** A response of HTTP that refuses. */
export async function refusalIn(response: Response): Promise<RpcError> {
  const { success: _, message, ...data } = (await response.json()) as Record<string, unknown>
  return new RpcError(CODES.failure, String(message ?? `The answer was ${response.status}.`), data)
}
