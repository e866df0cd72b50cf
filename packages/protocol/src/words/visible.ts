/**
 * What a file or a model wrote, for a person's eyes: characters that would move a terminal's cursor, clear a line, turn the
 * order of letters round or stand unseen between them are spelled out, so that nothing of a name or a change can hide.
 */
export function visible(text: string): string {
  return text.replace(HIDING, character => {
    const code = character.codePointAt(0)!.toString(16)
    return `\\u{${code}}`
  })
}

/** A name in one line: what ends a line or stands for a space is spelled out too. */
export function visibleName(name: string): string {
  return visible(name).replace(
    /[\n\r\t]/g,
    character => `\\u{${character.codePointAt(0)!.toString(16)}}`,
  )
}

/** Joiners and variation selectors stay: scripts and emoji are written with them. */
const HIDING =
  /(?!\n|\t|\r\n|\r$|[\u200c\u200d]|\p{Variation_Selector})[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/gu
