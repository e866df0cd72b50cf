/**
 * Logs of JSON lines by name, such as `drafts/open/drf_1.jsonl`: what a state keeps its drafts, rules and uploads in.
 * Another place for them implements this, and has all of those.
 */
export interface LineLogs {
  /** Resolves when the lines would survive a loss of power. They are there whole or not at all. */
  append(name: string, lines: readonly unknown[]): Promise<void>
  /** The same for who goes on meanwhile: resolves when they are written, in the order asked; `kept` when they last. */
  begin(name: string, lines: readonly unknown[]): Promise<{ readonly kept: Promise<void> }>
  /** Undefined: a line that was whole cannot be read. What a crash cut off at the end is left out. */
  read<Line>(name: string): Promise<readonly Line[] | undefined>
  /** What can be read of a log that must not keep anybody from starting; one with a loss is kept aside as it is. */
  salvage<Line>(
    name: string,
    isLine: (line: unknown) => line is Line,
  ): Promise<Salvaged<Line> & { readonly keptAs: string | null }>
  /** The log with these lines alone, durably; a crash leaves the old one or the new one. */
  replace(name: string, lines: readonly unknown[]): Promise<void>
  /** The log as it lies there, readable or not; empty where there is none. */
  readText(name: string): Promise<string>
  /** The names in a folder, without it, in order. */
  list(folder: string): Promise<readonly string[]>
  /** Durable with the next `append`. */
  move(from: string, to: string): Promise<void>
  remove(name: string): Promise<void>
  /** Where a person finds it: the end of its path, and no path of the machine. */
  placeOf(name: string): string
}

export interface Salvaged<Line> {
  readonly lines: readonly Line[]
  /** How many could not be read. */
  readonly lost: number
}
