/** A table that has the same columns in both databases. */
export interface MovedTable {
  readonly name: string
  readonly columns: Readonly<Record<string, 'text' | 'bigint'>>
  /** By which it is read in pages. */
  readonly key: readonly string[]
  /** The database itself gives the numbers of its key. */
  readonly isCounted?: true
}

const TEXT = 'text'
const NUMBER = 'bigint'

/** In the order in which rows refer to others. What is a cache (the index for search) is made again. */
export const MOVED_TABLES: readonly MovedTable[] = [
  { name: 'settings', key: ['key'], columns: { key: TEXT, value: TEXT } },
  {
    name: 'versions',
    key: ['id'],
    isCounted: true,
    columns: {
      ...{ id: NUMBER, workspace: TEXT, doc_path: TEXT, path: TEXT, sha256: TEXT },
      ...{ size_bytes: NUMBER, time: TEXT, origin: TEXT, change_set: TEXT },
    },
  },
  {
    name: 'heads',
    key: ['workspace', 'doc_path'],
    columns: { workspace: TEXT, doc_path: TEXT, version: NUMBER },
  },
  {
    name: 'sessions',
    key: ['session'],
    columns: {
      ...{ session: TEXT, workspace: TEXT, kind: TEXT, title: TEXT, conversation: TEXT },
      ...{ state: TEXT, created: TEXT, updated: TEXT, begun: NUMBER, epoch: NUMBER },
    },
  },
  {
    name: 'log',
    key: ['position'],
    columns: {
      ...{ position: NUMBER, session: TEXT, seq: NUMBER, conversation: TEXT, workspace: TEXT },
      ...{ type: TEXT, time: TEXT, subject: TEXT, body: TEXT },
    },
  },
  {
    name: 'log_blobs',
    key: ['session', 'sha256'],
    columns: { session: TEXT, sha256: TEXT, workspace: TEXT },
  },
  {
    name: 'inbox',
    key: ['position'],
    isCounted: true,
    columns: {
      ...{ position: NUMBER, session: TEXT, id: TEXT, workspace: TEXT },
      ...{ type: TEXT, time: TEXT, body: TEXT },
    },
  },
  {
    name: 'batches',
    key: ['position'],
    isCounted: true,
    columns: { position: NUMBER, batch: TEXT, workspace: TEXT, tool_call: TEXT, body: TEXT },
  },
  { name: 'patch_ids', key: ['id'], columns: { id: TEXT, batch: TEXT, workspace: TEXT } },
  {
    name: 'fates',
    key: ['position'],
    isCounted: true,
    columns: {
      ...{ position: NUMBER, batch: TEXT, workspace: TEXT, target: TEXT },
      ...{ fate: TEXT, time: TEXT, reason: TEXT },
    },
  },
  {
    name: 'access_tokens',
    key: ['position'],
    isCounted: true,
    columns: {
      ...{ position: NUMBER, token: TEXT, hash: TEXT, body: TEXT },
      ...{ revoked: TEXT, last_used: TEXT },
    },
  },
  {
    name: 'access_use',
    key: ['token', 'what', 'period'],
    columns: { token: TEXT, what: TEXT, period: TEXT, amount: NUMBER },
  },
  {
    name: 'decisions',
    key: ['position'],
    isCounted: true,
    columns: { position: NUMBER, workspace: TEXT, body: TEXT, outcome: TEXT, result: TEXT },
  },
]
