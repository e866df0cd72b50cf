const LOOKAROUND = /^\(\?(?:=|!|<=|<!)/
const CLASS = /^\[(\^?)((?:\\[\s\S]|[^\]\\])*)\]/
const ESCAPE = /^\\(?:[pPuk]\{[^}]*\}|k<[^>]*>|[\s\S])/
const MAY_BE_NEWLINE = /^\\[WDPp]/
const PLAIN_MEMBERS = /^(?:\w-\w|[\w ])*$/

/**
 * The expression for a whole text at once (with the flag `m`), so that it finds at least every line that the original
 * matches alone and never runs on past a line's end. Undefined for one that looks around or asks for a newline: those
 * are tried line by line.
 */
export function withinLines(source: string): string | undefined {
  let inside = ''
  for (let rest = source; rest !== ''; ) {
    if (LOOKAROUND.test(rest)) return undefined
    const [piece, taken] = nextPiece(rest)
    if (piece === undefined) return undefined
    inside += piece
    rest = rest.slice(taken)
  }
  return inside
}

function nextPiece(rest: string): [piece: string | undefined, taken: number] {
  const [whole = '', not = '', members = ''] = CLASS.exec(rest) ?? []
  if (not) return [`[^\\n${members.replace(/^-/, '\\-')}]`, whole.length]
  if (whole !== '') return [PLAIN_MEMBERS.test(members) ? whole : notNewline(whole), whole.length]
  const [escaped = ''] = ESCAPE.exec(rest) ?? []
  if (escaped === '\\n') return [undefined, escaped.length]
  if (escaped === '\\s') return ['[^\\S\\n]', escaped.length]
  if (MAY_BE_NEWLINE.test(escaped)) return [notNewline(escaped), escaped.length]
  return escaped === '' ? [rest[0]!, 1] : [escaped, escaped.length]
}

function notNewline(member: string): string {
  return `(?:(?!\\n)${member})`
}
