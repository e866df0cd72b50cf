import { excessIn } from '@filewright/protocol'

/** Nothing for what is no message: some servers write their log there. `excess`: it is more than anybody may send. */
export function readMessage(text: string): {
  readonly message?: unknown
  readonly excess?: string
} {
  if (!/^\s*[{[]/.test(text)) return {}
  const excess = excessIn(text)
  if (excess !== undefined) return { excess }
  try {
    return { message: JSON.parse(text) }
  } catch {
    return {}
  }
}
