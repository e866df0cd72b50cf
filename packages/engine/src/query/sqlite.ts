/** The part of the `node:sqlite` API that queries use; the built-in module and the package share it. */
export interface QueryDatabase {
  exec(sql: string): void
  prepare(sql: string): QueryStatement
  function(
    name: string,
    options: { deterministic: boolean; varargs?: boolean },
    run: (...values: SqliteValue[]) => SqliteValue,
  ): void
  /** Node ≥ 24.10 and the package. */
  setAuthorizer?(decide: (action: number, ...names: (string | null)[]) => number): void
  close(): void
}

export interface QueryStatement {
  run(...values: SqliteValue[]): unknown
  iterate(): Iterable<unknown>
  setReadBigInts(wanted: boolean): void
  /** Node ≥ 24 and the package. Without it, columns of one name are one. */
  setReturnArrays?(wanted: boolean): void
  columns?(): readonly { readonly name: string }[]
}

export type SqliteValue = string | number | bigint | null | Uint8Array

interface QueryModule {
  readonly DatabaseSync: new (file: string) => QueryDatabase
}

/** Built in on Node ≥ 22.13; below, the package with the same API. */
export async function openQueryDatabase(): Promise<QueryDatabase> {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const isBuiltIn = major > 22 || (major === 22 && minor >= 13)
  const { DatabaseSync } = (await (isBuiltIn
    ? import('node:sqlite' as string)
    : import('@photostructure/sqlite'))) as unknown as QueryModule
  const database = new DatabaseSync(':memory:')
  database.exec('PRAGMA temp_store = MEMORY') // a large sort must not reach the disk
  return database
}
