import { randomBytes } from 'node:crypto'

const LONG = 2 * 1024 // shorter ones cost nothing
const MOST_HELD = 8 * 1024 * 1024 // bytes

/** The line of a message, in pieces. */
export type FrameLine = (message: object) => (string | Buffer)[]

interface ResultFrame {
  readonly result?: {
    readonly content?: readonly { readonly type: string; readonly text?: string }[]
    readonly structuredContent?: { readonly text?: string }
  }
}

/**
 * The text of a result is in its frame twice, and the same file is often read again soon: its JSON is made once and kept
 * as the bytes that go out. Making it is most of the cost of a read.
 */
export function createFrameLine(): FrameLine {
  const mark = randomBytes(16).toString('hex') // stands for the text, and occurs nowhere else
  const held = new Map<string, Buffer>()
  let heldBytes = 0

  function quoted(text: string): Buffer {
    const known = held.get(text)
    if (known) return known
    const bytes = Buffer.from(JSON.stringify(text))
    if (heldBytes + bytes.length > MOST_HELD) {
      held.clear()
      heldBytes = 0
    }
    held.set(text, bytes)
    heldBytes += bytes.length
    return bytes
  }

  return message => {
    const { result } = message as ResultFrame
    const text = result?.content?.[0]?.text
    if (text === undefined || text.length < LONG) return [`${JSON.stringify(message)}\n`]
    const { content, structuredContent } = result!
    const marked = {
      ...result,
      content: [{ ...content![0], text: mark }, ...content!.slice(1)],
      ...(structuredContent?.text === text && { structuredContent: { text: mark } }),
    }
    const parts = `${JSON.stringify({ ...message, result: marked })}\n`.split(`"${mark}"`)
    return parts.flatMap((part, at) => (at === 0 ? [part] : [quoted(text), part]))
  }
}
