/** The first line of a failed result, without the code in front of it and the words that announce a second line. */
export function failureReason(result: { content: string; error_code?: string | null }): string {
  const first = result.content.split('\n', 1)[0] ?? ''
  const code = `${result.error_code}: `
  return (first.startsWith(code) ? first.slice(code.length) : first).replace(/ [^.:]*:$/, '')
}
