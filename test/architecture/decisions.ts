/** Finds a comparison, a case, a key of a table or a look into a list by one of these names. */
export function decisionOn(names: readonly string[]): RegExp {
  const name = `(?:${names.join('|')})`
  const literal = `(['"\`])${name}`
  return new RegExp(
    [
      String.raw`(?:[!=]==?|\bcase)\s*${literal}\1`,
      String.raw`${literal}\2\s*[!=]==?`,
      String.raw`[{,]\s*(['"]?)${name}\3\s*[:(]`,
      String.raw`\.(?:includes|has|startsWith|endsWith)\(\s*${literal}\4`,
    ].join('|'),
    'g',
  )
}
