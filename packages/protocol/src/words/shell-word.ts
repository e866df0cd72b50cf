/** As a person can paste it into a shell: nothing in a name that a file brings is a command there. */
export function toShellWord(text: string): string {
  return /^[\w./@%+:,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
