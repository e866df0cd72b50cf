/** Quotes a name so that a person can paste it into a shell: nothing in it runs as a command. */
export function toShellWord(text: string): string {
  return /^[\w./@%+:,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
