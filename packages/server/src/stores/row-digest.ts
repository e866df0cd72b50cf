import { createHash } from 'node:crypto'

export type Row = Readonly<Record<string, string | number | null>>

/** A number for a set of rows, whatever their order: the sum of their hashes. */
export interface RowDigest {
  add(rows: readonly Row[]): void
  /** How many rows, and their digest. */
  result(): { readonly rows: number; readonly digest: string }
}

const RANGE = 2n ** 256n

export function createRowDigest(columns: readonly string[]): RowDigest {
  let rows = 0
  let sum = 0n
  return {
    add(more) {
      rows += more.length
      for (const row of more) {
        const text = JSON.stringify(columns.map(column => row[column] ?? null))
        sum = (sum + BigInt(`0x${createHash('sha256').update(text).digest('hex')}`)) % RANGE
      }
    },
    result: () => ({ rows, digest: sum.toString(16).padStart(64, '0') }),
  }
}
