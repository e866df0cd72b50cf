/** How the engine's child is started: this same file, with a word that no command has. */
export function engineCommand(): readonly string[] {
  return [process.execPath, process.argv[1] ?? '', '__engine']
}
