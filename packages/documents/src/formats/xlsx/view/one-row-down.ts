/**
 * Whether the second formula surely is the first moved down one row, as after a fill down, judged from their bytes.
 * False may mean undecided.
 */
export function isOneRowDown(
  bytes: Uint8Array,
  above: { readonly start: number; readonly end: number },
  own: { readonly start: number; readonly end: number },
): boolean {
  let a = above.start
  let b = own.start
  while (a < above.end && b < own.end) {
    const byte = bytes[a]!
    if (isWord(byte)) {
      const endA = endOfWord(bytes, a, above.end)
      const endB = endOfWord(bytes, b, own.end)
      const next = endA < above.end ? bytes[endA]! : 0
      const isName = next === 40 || next === 33 || next === 91 // a function, a sheet, a table
      if (!isName && isWholeRow(bytes, a, endA, next)) return false
      const isMoved = isName ? undefined : movedRow(bytes, a, endA, b, endB)
      if (isMoved === false) return false
      if (isMoved === undefined && !sameBytes(bytes, a, endA, b, endB)) return false
      a = endA
      b = endB
      continue
    }
    // A quote written as a reference hides where strings start.
    if (byte === 38 && (bytes[a + 1] === 113 || bytes[a + 2] === 112)) return false
    const end =
      byte === 34 || byte === 39
        ? endOfQuoted(bytes, a, above.end)
        : byte === 91
          ? endOfBrackets(bytes, a, above.end)
          : a + 1
    if (!sameBytes(bytes, a, end, b, Math.min(b + end - a, own.end))) return false
    b += end - a
    a = end
  }
  return a === above.end && b === own.end
}

/** Undefined unless it is a cell with a relative row; otherwise whether the other is the one below it. */
function movedRow(
  bytes: Uint8Array,
  from: number,
  to: number,
  other: number,
  otherTo: number,
): boolean | undefined {
  let at = from
  if (bytes[at] === 36) at++
  const letters = at
  while (at < to && isLetter(bytes[at]!)) at++
  if (at === letters || at - letters > 3 || at === to) return undefined
  const digits = at
  const row = numberIn(bytes, digits, to)
  if (row < 0) return undefined
  const otherDigits = other + digits - from
  return (
    sameBytes(bytes, from, digits, other, Math.min(otherDigits, otherTo)) &&
    numberIn(bytes, otherDigits, otherTo) === row + 1
  )
}

/** `3` next to a colon: whole rows, which move too. */
function isWholeRow(bytes: Uint8Array, from: number, to: number, next: number): boolean {
  if (next !== 58 && bytes[from - 1] !== 58) return false
  return numberIn(bytes, bytes[from] === 36 ? from + 1 : from, to) >= 0
}

/** -1 unless it is all digits. */
function numberIn(bytes: Uint8Array, from: number, to: number): number {
  if (from >= to) return -1
  let value = 0
  for (let at = from; at < to; at++) {
    const digit = bytes[at]! - 48
    if (digit < 0 || digit > 9) return -1
    value = value * 10 + digit
  }
  return value
}

function sameBytes(bytes: Uint8Array, a: number, endA: number, b: number, endB: number): boolean {
  if (endA - a !== endB - b) return false
  for (let index = 0; index < endA - a; index++)
    if (bytes[a + index] !== bytes[b + index]) return false
  return true
}

function endOfWord(bytes: Uint8Array, from: number, limit: number): number {
  let at = from
  while (at < limit && isWord(bytes[at]!)) at++
  return at
}

function endOfQuoted(bytes: Uint8Array, from: number, limit: number): number {
  let at = from + 1
  while (at < limit && bytes[at] !== bytes[from]) at++
  return Math.min(at + 1, limit)
}

function endOfBrackets(bytes: Uint8Array, from: number, limit: number): number {
  let depth = 0
  for (let at = from; at < limit; at++) {
    if (bytes[at] === 91) depth++
    else if (bytes[at] === 93 && --depth === 0) return at + 1
  }
  return limit
}

function isLetter(byte: number): boolean {
  return (byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122)
}

function isWord(byte: number): boolean {
  return (
    isLetter(byte) ||
    (byte >= 48 && byte <= 57) ||
    byte === 36 ||
    byte === 46 ||
    byte === 63 ||
    byte === 92 ||
    byte === 95 ||
    byte > 127
  )
}
