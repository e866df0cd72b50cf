import type { ModelMessage, ModelRequest } from '../port/model.ts'
import type { WrittenCall } from './written-call.ts'

const NEAR = 300 // letters between a name and its arguments, however a file arranges them

/**
 * Whether the name and the arguments of a call occur in what the model was shown: a result, a file, an instruction or a
 * message. Then it may only repeat them, and a file that shows a tool call must not make one. Spacing, quotes, escapes, line
 * numbers and the order of the arguments do not matter.
 */
export function isQuoted(call: WrittenCall, { system, messages }: ModelRequest): boolean {
  const name = lettersOf(call.name)
  const pieces = piecesOf(JSON.parse(call.arguments), '')
  const texts = messages.flatMap((message, index) =>
    isOwnCall(message, messages[index + 1]) ? [] : message.text,
  )
  // a tool's name alone is in every system prompt
  return [...texts, ...(pieces.length > 0 ? [system] : [])].some(text =>
    occursIn(lettersOf(text), name, pieces),
  )
}

/** How we tell a model that a call it wrote as text was not run. */
export const NOTHING_WAS_RUN =
  'Nothing was run. To call a tool, use a tool call instead of text; otherwise answer in plain words.'

/** A call of its own, run or not, or our word about it: a model may try the same again. */
function isOwnCall(message: ModelMessage, next: ModelMessage | undefined): boolean {
  if (message.role === 'assistant')
    return message.calls.length > 0 || (next !== undefined && isOwnCall(next, undefined))
  return (
    message.role === 'user' &&
    /^\[Filewright\] /.test(message.text) &&
    message.text.endsWith(NOTHING_WAS_RUN)
  )
}

function occursIn(text: string, name: string, pieces: readonly string[]): boolean {
  const reach = NEAR + 2 * pieces.reduce((sum, piece) => sum + piece.length, 0)
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const near = text.slice(Math.max(0, at - reach), at + name.length + reach)
    if (pieces.every(piece => near.includes(piece))) return true
  }
  return false
}

/** Each value with its key, as letters and digits. */
function piecesOf(value: unknown, key: string): string[] {
  if (Array.isArray(value)) return value.flatMap(item => piecesOf(item, ''))
  if (value !== null && typeof value === 'object')
    return Object.entries(value).flatMap(([name, item]) => piecesOf(item, name))
  return [lettersOf(key) + lettersOf(String(value))].filter(piece => piece !== '')
}

/** However a file spells them: with line numbers, escaped, as entities, in full width. */
function lettersOf(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/^[ \t]*\d+\|/gm, '')
    .replace(/&#x([0-9a-f]{1,6});/gi, (_, code: string) => toCharacter(code, 16))
    .replace(/&#(\d{1,7});/g, (_, code: string) => toCharacter(code, 10))
    .replace(/\\+u\{?([0-9a-f]{1,6})\}?|\\+x([0-9a-f]{2})/gi, (_, long, short) =>
      toCharacter(long ?? short, 16),
    )
    .replace(/\\+[nrt]/g, ' ')
    .replace(/&(?:amp|lt|gt|quot|apos);/g, ' ')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
}

function toCharacter(code: string, base: number): string {
  const point = Number.parseInt(code, base)
  return point <= 0x10ffff ? String.fromCodePoint(point) : ' '
}
