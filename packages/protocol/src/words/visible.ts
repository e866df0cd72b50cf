/**
 * Spells out characters that could hide part of a name or a change from a person: those that move a terminal's cursor,
 * clear a line, reverse the order of letters or are invisible.
 */
export function visible(text: string): string {
  return text.replace(HIDING, character => {
    const code = character.codePointAt(0)!.toString(16)
    return `\\u{${code}}`
  })
}

/** A name in one line: line ends and tabs are spelled out too. */
export function visibleName(name: string): string {
  return visible(name).replace(
    /[\n\r\t]/g,
    character => `\\u{${character.codePointAt(0)!.toString(16)}}`,
  )
}

/** Words of others over several lines: behind a mark, so that none looks like a line of ours. */
export function visibleBelow(text: string): string {
  return visible(text).replace(/\r?\n(?!$)/g, '\n    │ ')
}

/** The same JSON, whose texts steer no terminal that shows it. */
export function visibleJson(json: string): string {
  return json.replace(HIDING, character =>
    character
      .split('')
      .map(unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  )
}

/** Joiners and variation selectors stay: scripts and emoji need them. */
const HIDING =
  /(?!\n|\t|\r\n|\r$|[\u200c\u200d]|\p{Variation_Selector})[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/gu
