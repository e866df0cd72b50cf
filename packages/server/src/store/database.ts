import type { Result } from '@filewright/protocol'

export type SqlValue = string | number | null | Uint8Array

/**
 * One SQLite file in WAL mode, owned by one process. Every call is synchronous and short; statements are prepared once.
 * A commit survives the death of this process; `durable` makes it survive the loss of power.
 */
export interface Database {
  /** Null in memory. */
  readonly file: string | null
  run(sql: string, ...values: SqlValue[]): { changes: number }
  get<Row>(sql: string, ...values: SqlValue[]): Row | undefined
  all<Row>(sql: string, ...values: SqlValue[]): Row[]
  /** All or none: a throw inside rolls back and goes on to the caller. One inside another joins it. */
  transaction<Value>(work: () => Value): Value
  /**
   * Resolves when everything committed before this call is on the disk. Waiters share one `fdatasync`.
   * Rejects, and goes on rejecting, when the disk refused: what it then holds is not known.
   */
  durable(): Promise<void>
  close(): Promise<void>
}

export type OpenFailure = 'STATE_TOO_NEW' | 'STATE_UNREADABLE' | 'LOCKED'

export type OpenDatabase = (file: string) => Promise<Result<Database, OpenFailure>>
