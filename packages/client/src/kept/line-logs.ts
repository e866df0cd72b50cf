/**
 * Logs of JSON lines by name, such as `drafts/open/drf_1.jsonl`: they store the drafts, rules and uploads of a state.
 * Another kind of storage implements this and gets all of those.
 */
export interface LineLogs {
  /** Resolves when the lines would survive a power loss. They are stored completely or not at all. */
  append(name: string, lines: readonly unknown[]): Promise<void>
  /**
   * The same without waiting for the disk: resolves when the lines are written, in the order asked; `kept` when they
   * are durable.
   */
  begin(name: string, lines: readonly unknown[]): Promise<{ readonly kept: Promise<void> }>
  /** Undefined: a complete line cannot be read. An incomplete end after a crash is omitted. */
  read<Line>(name: string): Promise<readonly Line[] | undefined>
  /** The readable lines of a log that must not prevent a start; a damaged log is set aside unchanged. */
  salvage<Line>(
    name: string,
    isLine: (line: unknown) => line is Line,
  ): Promise<Salvaged<Line> & { readonly keptAs: string | null }>
  /** Replaces the log with these lines, durably; a crash leaves the old log or the new one. */
  replace(name: string, lines: readonly unknown[]): Promise<void>
  /** The raw log, readable or not; empty when there is none. */
  readText(name: string): Promise<string>
  /** The names in a folder, without its path, in order. */
  list(folder: string): Promise<readonly string[]>
  /** Durable with the next `append`. */
  move(from: string, to: string): Promise<void>
  remove(name: string): Promise<void>
  /** Where a person finds it: the end of its path, without the machine's own folders. */
  placeOf(name: string): string
}

export interface Salvaged<Line> {
  readonly lines: readonly Line[]
  /** How many could not be read. */
  readonly lost: number
}
