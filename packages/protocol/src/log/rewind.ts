import type { LogRow } from './journal.ts'

/** The rows without those that a person went back behind. The rows may begin anywhere; they are in order. */
export function rowsInView<Row extends LogRow>(rows: readonly Row[]): readonly Row[] {
  if (!rows.some(isRewind)) return rows
  const kept: Row[] = []
  for (const row of rows) {
    const { body } = row
    if (body.type === 'rewind') while (kept.length > 0 && kept.at(-1)!.seq > body.to_seq) kept.pop()
    kept.push(row)
  }
  return kept
}

export function isRewind({ body }: LogRow): boolean {
  return body.type === 'rewind'
}
