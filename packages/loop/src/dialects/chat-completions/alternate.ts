import type { ModelMessage } from '../../port/model.ts'

const NOT_OF_THE_RESULT = '[Filewright] Not part of the result above:'

/**
 * The same messages for an endpoint that takes no user message after another one or after a result: it joins the message
 * before it.
 */
export function alternate(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const joined: ModelMessage[] = []
  for (const message of messages) {
    const last = joined.at(-1)
    if (message.role !== 'user' || !last || last.role === 'assistant') joined.push(message)
    else joined[joined.length - 1] = joinedBy(last, message)
  }
  return joined
}

function joinedBy(
  last: Exclude<ModelMessage, { role: 'assistant' }>,
  { text, images = [] }: Extract<ModelMessage, { role: 'user' }>,
): ModelMessage {
  const all = [...(last.images ?? []), ...images]
  return { ...last, text: textOf(last, text), ...(all.length > 0 && { images: all }) }
}

function textOf(last: ModelMessage, text: string): string {
  const isSaid = last.role === 'user' || last.text.includes(`\n\n${NOT_OF_THE_RESULT}\n`)
  return isSaid ? `${last.text}\n\n${text}` : `${last.text}\n\n${NOT_OF_THE_RESULT}\n${text}`
}
