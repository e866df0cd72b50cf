/** Tells thinking that a server left in the text, between tags at its beginning, from the answer. */
export interface ThinkReader {
  push(text: string): SaidPieces
  /** What was held back, because it might have been the beginning of a tag. */
  end(): SaidPieces
}

export interface SaidPieces {
  readonly reasoning: string
  readonly text: string
}

const OPENING = /^\s*<think(?:ing)?>/
const CLOSING = /<\/think(?:ing)?>/
const TAGS = ['<think>', '<thinking>']
const LONGEST_CLOSING = '</thinking>'.length

/** Only at the beginning: further on, an answer may quote a file that has such tags. */
export function createThinkReader(): ThinkReader {
  let state: 'beginning' | 'thinking' | 'answering' = 'beginning'
  let held = ''
  let hasThought = false

  const push = (piece: string): SaidPieces => {
    if (state === 'answering') return { reasoning: '', text: piece }
    held += piece
    return state === 'thinking' ? think() : begin()
  }

  const begin = (): SaidPieces => {
    const opening = OPENING.exec(held)
    if (opening) {
      state = 'thinking'
      hasThought = true
      held = held.slice(opening[0].length)
      return think()
    }
    const start = held.trimStart()
    if (TAGS.some(tag => tag.startsWith(start))) return { reasoning: '', text: '' }
    return answer()
  }

  const think = (): SaidPieces => {
    const closing = CLOSING.exec(held)
    if (closing) {
      const reasoning = held.slice(0, closing.index)
      held = held.slice(closing.index + closing[0].length)
      state = 'beginning'
      const rest = begin()
      return { reasoning: reasoning + rest.reasoning, text: rest.text }
    }
    const partial = held.lastIndexOf('<')
    const isPartial = partial >= 0 && held.length - partial < LONGEST_CLOSING
    const reasoning = isPartial ? held.slice(0, partial) : held
    held = held.slice(reasoning.length)
    return { reasoning, text: '' }
  }

  const answer = (): SaidPieces => {
    state = 'answering'
    const text = hasThought ? held.trimStart() : held
    held = ''
    return { reasoning: '', text }
  }

  const end = (): SaidPieces => {
    const rest = held
    held = ''
    return state === 'thinking' ? { reasoning: rest, text: '' } : { reasoning: '', text: rest }
  }

  return { push, end }
}
