/**
 * What a file or a model wrote, for a person's terminal: characters that would move its cursor, clear a line or turn the
 * order of letters round are spelled out, so that nothing of a change can hide.
 */
export function visible(text: string): string {
  return text.replace(HIDING, character => {
    const code = character.codePointAt(0)!.toString(16)
    return `\\u{${code}}`
  })
}

const HIDING = /(?!\n|\t|\r\n|\r$)[\p{Cc}\p{Bidi_Control}]/gu
