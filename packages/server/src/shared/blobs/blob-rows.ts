import type { Sha256 } from '@filewright/protocol'
import type { Postgres } from '../database/postgres.ts'
import { type InParts, type Part, sizeOf } from './object-parts.ts'

/** Which object holds which blob. */
export interface BlobRows {
  find(sha256: Sha256): Promise<InParts | undefined>
  /**
   * When the object of a row turned out to be lost: the row that is there now, if it is another. The lost one is
   * removed, so that putting the bytes again heals the blob.
   */
  findAfter(sha256: Sha256, lost: InParts): Promise<InParts | undefined>
  /** Notes that the blob was put again. False: there is none. */
  touch(sha256: Sha256): Promise<boolean>
  /** False: there is one already, and it was touched. */
  add(sha256: Sha256, inParts: InParts): Promise<boolean>
  /** What this process knows of it may be wrong. */
  forget(sha256: Sha256): void
  olderThan(graceMs: number): Promise<readonly Sha256[]>
  /** Undefined when it is younger, or named by a version or the log. */
  remove(sha256: Sha256, graceMs: number): Promise<InParts | undefined>
}

interface Row {
  readonly object: string
  readonly parts: string
}

interface Known extends InParts {
  /** By our clock, when the row was last touched or seen. */
  readonly seen: number
}

/**
 * For so long a row that was seen or touched is taken to be there still. No sweep removes one so young: sweeps of a
 * shared store spare blobs for minutes.
 */
const SEEN_MS = 30_000
const MOST_KNOWN = 20_000
const OLDER = "put <= clock_timestamp() - $2 * interval '1 millisecond'"

export function createBlobRows(database: Postgres): BlobRows {
  const known = new Map<Sha256, Known>()

  function know(sha256: Sha256, row: Row): InParts {
    known.delete(sha256) // a Map keeps insertion order: the newest goes to the end
    const inParts = { ...fromRow(row), seen: Date.now() }
    known.set(sha256, inParts)
    if (known.size > MOST_KNOWN) known.delete(known.keys().next().value!)
    return inParts
  }

  async function find(sha256: Sha256): Promise<InParts | undefined> {
    const seen = known.get(sha256)
    if (seen && Date.now() - seen.seen < SEEN_MS) return seen
    known.delete(sha256)
    const [row] = await database.repeat<Row>('select object, parts from blobs where sha256 = $1', [
      sha256,
    ])
    return row && know(sha256, row)
  }

  return {
    find,
    async findAfter(sha256, { id }) {
      await database.repeat('delete from blobs where sha256 = $1 and object = $2', [sha256, id])
      return find(sha256)
    },
    async touch(sha256) {
      const [row] = await database.repeat<Row>(
        'update blobs set put = clock_timestamp() where sha256 = $1 returning object, parts',
        [sha256],
      )
      if (row) know(sha256, row)
      else known.delete(sha256)
      return row !== undefined
    },
    async add(sha256, inParts) {
      const [row] = await database.repeat<Row>(
        `insert into blobs (sha256, object, parts, size_bytes) values ($1, $2, $3, $4)
         on conflict (sha256) do update set put = clock_timestamp() returning object, parts`,
        [sha256, inParts.id, JSON.stringify(inParts.parts), sizeOf(inParts)],
      )
      know(sha256, row!)
      return row!.object === inParts.id
    },
    forget(sha256) {
      known.delete(sha256)
    },
    async olderThan(graceMs) {
      const rows = await database.repeat<{ sha256: Sha256 }>(
        `select sha256 from blobs where ${OLDER.replace('$2', '$1')}`,
        [graceMs],
      )
      return rows.map(row => row.sha256)
    },
    async remove(sha256, graceMs) {
      known.delete(sha256)
      return database.transaction(async queries => {
        const [row] = await queries.query<Row>(
          `select object, parts from blobs where sha256 = $1 and ${OLDER} for update`,
          [sha256, graceMs],
        )
        if (!row) return undefined
        const naming = await queries.query(NAMED, [sha256]) // sees what was committed while we waited for the row
        if (naming.length > 0) return undefined
        await queries.run('delete from blobs where sha256 = $1', [sha256])
        return fromRow(row)
      })
    },
  }
}

const NAMED = `select 1 from versions where sha256 = $1
  union all select 1 from log_blobs where sha256 = $1 limit 1`

export function fromRow({ object, parts }: Row): InParts {
  return { id: object, parts: JSON.parse(parts) as Part[] }
}
