/** 0 is A, 25 is Z, 26 is AA. */
export function columnName(index: number): string {
  let name = ''
  for (let left = index + 1; left > 0; left = Math.floor((left - 1) / 26))
    name = String.fromCharCode(65 + ((left - 1) % 26)) + name
  return name
}

export interface NamedCell {
  readonly sheet?: string
  readonly row: number
  readonly column: number
}

/** `Sales!B2` or `'My sheet'!B2`; undefined for anything that is no single cell. */
export function parseCell(place: string): NamedCell | undefined {
  const found = /^(?:(?:'((?:[^']|'')+)'|([^!']+))!)?\$?([A-Z]{1,3})\$?(\d{1,7})$/.exec(place)
  if (!found) return undefined
  const [, quoted, plain, letters = '', digits] = found
  let column = 0
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64
  const sheet = quoted?.replaceAll("''", "'") ?? plain
  return { ...(sheet !== undefined && { sheet }), row: Number(digits) - 1, column: column - 1 }
}
