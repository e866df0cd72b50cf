export type SqlValue = string | number | null | Uint8Array

/** The part of the `node:sqlite` API we use; the built-in module and the package share it. */
export interface SqliteDatabase {
  exec(sql: string): void
  prepare(sql: string): SqliteStatement
  close(): void
}

export interface SqliteStatement {
  run(...values: SqlValue[]): { changes: number | bigint; lastInsertRowid: number | bigint }
  get(...values: SqlValue[]): unknown
  all(...values: SqlValue[]): unknown[]
}

interface SqliteModule {
  readonly DatabaseSync: new (file: string, options?: { timeout?: number }) => SqliteDatabase
}

/** Built in on Node ≥ 22.13; below, the package with the same API. Loaded late: a thin face never needs it. */
export async function loadSqlite(): Promise<SqliteModule> {
  return builtIn() ?? ((await import('@photostructure/sqlite')) as unknown as SqliteModule)
}

function builtIn(): SqliteModule | undefined {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major < 22 || (major === 22 && minor < 13)) return undefined
  const { getBuiltinModule } = process as { getBuiltinModule?: (id: string) => unknown }
  return withoutExperimentalWarning(() => getBuiltinModule?.('node:sqlite')) as
    | SqliteModule
    | undefined
}

/** Suppresses Node's warning that the module is experimental: a person at the terminal can do nothing about it. */
function withoutExperimentalWarning<Value>(load: () => Value): Value {
  const emitWarning = process.emitWarning
  process.emitWarning = () => {}
  try {
    return load()
  } finally {
    process.emitWarning = emitWarning
  }
}
