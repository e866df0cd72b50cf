import type { StateBlobs } from '../state/state-blobs.ts'

/** Logs of text by name, in a store that other machines use too. What is written before is durable before. */
export interface StoredLines {
  append(log: string, body: string): Promise<void>
  read(log: string): Promise<readonly string[]>
  /** Every log of a folder, by its name in it. */
  readAll(folder: string): Promise<ReadonlyMap<string, readonly string[]>>
  replace(log: string, bodies: readonly string[]): Promise<void>
  list(folder: string): Promise<readonly string[]>
  /** Replaces the other log. */
  move(from: string, to: string): Promise<void>
  /** And those below it. */
  remove(log: string): Promise<void>
}

/** What the state of a workspace is kept in, where no disk of this machine is its place. */
export interface StatePlace {
  readonly lines: StoredLines
  /** Each shelf knows its own bytes. */
  blobs(shelf: string): StateBlobs
}
