/**
 * Logs of JSON lines by name, such as `drafts/open/drf_1.jsonl`, which hold drafts, rules and uploads. An implementation
 * of this port can store all of them.
 */
export interface LineLogs {
  /** Resolves when the lines survive a loss of power. All or none of them are kept. */
  append(name: string, lines: readonly unknown[]): Promise<void>
  /** The same for a caller that goes on meanwhile: resolves when the lines are written in order; `kept` when durable. */
  begin(name: string, lines: readonly unknown[]): Promise<{ readonly kept: Promise<void> }>
  /** Undefined: a complete line cannot be read. A last line that a crash cut off is dropped. */
  read<Line>(name: string): Promise<readonly Line[] | undefined>
  /** Reads what it can of a log whose damage must not prevent a start. A damaged log is copied aside unchanged. */
  salvage<Line>(
    name: string,
    isLine: (line: unknown) => line is Line,
  ): Promise<Salvaged<Line> & { readonly keptAs: string | null }>
  /** Replaces the log durably; a crash leaves the old one or the new one. */
  replace(name: string, lines: readonly unknown[]): Promise<void>
  /** The raw text of the log, readable or not; empty if there is none. */
  readText(name: string): Promise<string>
  /** The names in a folder, relative to it, sorted. */
  list(folder: string): Promise<readonly string[]>
  /** Durable with the next `append`. */
  move(from: string, to: string): Promise<void>
  remove(name: string): Promise<void>
  /** The place shown to a person: the end of its path, without the machine's folders. */
  placeOf(name: string): string
}

export interface Salvaged<Line> {
  readonly lines: readonly Line[]
  /** The number of unreadable lines. */
  readonly lost: number
}
