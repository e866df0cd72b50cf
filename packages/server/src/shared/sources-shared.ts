import {
  type ChangeSetId,
  type DocPath,
  ok,
  type RelativePath,
  type Result,
  resolveVersion,
  type Sha256,
  type WorkspaceId,
} from '@filewright/protocol'
import type { Blobs } from '../store/blobs.ts'
import { blobsMissing, headsMoved } from '../store/source-failures.ts'
import {
  type Head,
  type HeadMove,
  MOST_PATHS,
  type Origin,
  type Sources,
  type SourceVersion,
} from '../store/sources.ts'
import type { Postgres, Queries } from './database/postgres.ts'

const PAGE = 1_000
const COLUMNS = 'v.id, v.doc_path, v.path, v.sha256, v.size_bytes, v.time, v.origin, v.change_set'
const HEADS = `select ${COLUMNS} from heads h join versions v on v.id = h.version
  where h.workspace = $1 and h.doc_path = any($2::text[])`

interface VersionRow {
  readonly id: number
  readonly doc_path: string
  readonly path: string
  readonly sha256: string | null
  readonly size_bytes: number
  readonly time: string
  readonly origin: string
  readonly change_set: string | null
}

export interface MoveFacts {
  readonly workspaceId: WorkspaceId
  readonly origin: Origin
  readonly time: string
}

/** Bytes are checked in the transaction that names them, so a sweep of another instance cannot come between. */
export function createSharedSources(database: Postgres, blobs: Blobs, now: () => Date): Sources {
  const reading: Reading = { query: database.repeat }

  /** The files of a hosted workspace have one writer, its home: what anybody else takes for their state is old. */
  function moveHeads(workspaceId: WorkspaceId, moves: readonly HeadMove[], origin: Origin) {
    return database.transaction(async queries => {
      const place = { workspaceId, origin, time: now().toISOString() }
      return (await isHosted(queries, workspaceId))
        ? agreeWithHeads(queries, place, moves)
        : moveHeadsIn(queries, place, moves)
    })
  }

  async function hasVersion(workspaceId: WorkspaceId, sha256: Sha256, docPath?: DocPath) {
    const found = await database.repeat(
      `select 1 from versions where sha256 = $1 and workspace = $2
       and ($3::text is null or doc_path = $3) limit 1`,
      [sha256, workspaceId, docPath ?? null],
    )
    return found.length > 0
  }

  async function hashesOf(
    workspaceId: WorkspaceId,
    docPath: DocPath,
    prefix: string,
    limit: number,
  ) {
    const rows = await database.repeat<{ sha256: Sha256 }>(
      `select sha256 from versions where workspace = $1 and doc_path = $2 and starts_with(sha256, $3)
       group by sha256 order by max(id) desc limit $4`,
      [workspaceId, docPath, prefix, limit],
    )
    return rows.map(row => row.sha256)
  }

  return {
    async head(workspaceId, docPath) {
      const row = (await headRows(reading, workspaceId, [docPath])).get(docPath)
      return row && toVersionOf(row)
    },
    async heads(workspaceId, docPaths) {
      const rows = await headRows(reading, workspaceId, docPaths)
      return new Map(docPaths.flatMap(path => toEntry(path, rows.get(path))))
    },
    moveHeads,
    async addVersion(workspaceId, version) {
      const place: MoveFacts = {
        workspaceId,
        origin: { kind: 'buffer' },
        time: now().toISOString(),
      }
      return database.transaction(async queries => {
        const missing = await holdBlobs(queries, [version.sha256])
        if (missing.length > 0) return blobsMissing(missing)
        await queries.query('select pg_advisory_xact_lock(hashtextextended($1, 2))', [workspaceId])
        const known = await queries.query(
          'select 1 from versions where workspace = $1 and doc_path = $2 and sha256 = $3 limit 1',
          [workspaceId, version.docPath, version.sha256],
        )
        if (known.length === 0) await insertVersion(queries, place, version)
        return ok({ ...version, origin: place.origin, time: place.time })
      })
    },
    async resolveVersion(workspaceId, docPath, version) {
      const matching = await hashesOf(workspaceId, docPath, version, 10)
      const known = matching.length > 0 ? matching : await hashesOf(workspaceId, docPath, '', 5)
      return resolveVersion(version, known, docPath)
    },
    async history(workspaceId, docPath, { before, limit = PAGE } = {}) {
      const rows = await database.repeat<VersionRow>(
        `select ${COLUMNS} from versions v
         where workspace = $1 and doc_path = $2 and id < $3 order by id desc limit $4`,
        [
          workspaceId,
          docPath,
          before === undefined ? Number.MAX_SAFE_INTEGER : Number(before),
          limit + 1,
        ],
      )
      const items = rows.slice(0, limit)
      const next = rows.length > limit ? { next: String(items.at(-1)!.id) } : {}
      return { items: items.map(toVersionOf), ...next }
    },
    async pathsOf(workspaceId, sha256) {
      const rows = await database.repeat<{ doc_path: DocPath }>(
        'select distinct doc_path from versions where sha256 = $1 and workspace = $2 limit $3',
        [sha256, workspaceId, MOST_PATHS],
      )
      return rows.map(row => row.doc_path)
    },
    knows: (workspaceId, sha256) => hasVersion(workspaceId, sha256),
    async read(workspaceId, docPath, sha256) {
      return (await hasVersion(workspaceId, sha256, docPath)) ? blobs.get(sha256) : undefined
    },
  }
}

type Reading = Pick<Queries, 'query'>

/** All heads or none, in a transaction that holds whatever else must be so. */
export async function moveHeadsIn(
  queries: Queries,
  place: MoveFacts,
  moves: readonly HeadMove[],
): Promise<Result<readonly Head[], 'CONFLICT' | 'NOT_FOUND'>> {
  const { workspaceId, origin } = place
  const missing = await holdBlobs(
    queries,
    moves.map(move => move.sha256),
  )
  if (missing.length > 0) return blobsMissing(missing)
  await queries.query('select pg_advisory_xact_lock(hashtextextended($1, 2))', [workspaceId])
  const repeated = await versionsOf(queries, workspaceId, origin)
  if (repeated.length > 0) return ok(repeated)
  const current = await headRows(queries, workspaceId, docPathsOf(moves))
  const moved = moves.flatMap(({ docPath, expected }) => {
    const sha256 = (current.get(docPath)?.sha256 ?? null) as Sha256 | null
    return expected === undefined || expected === sha256 ? [] : [{ docPath, sha256 }]
  })
  if (moved.length > 0) return headsMoved(moved)
  const heads: Head[] = []
  for (const move of moves)
    heads.push(await moveHead(queries, place, move, current.get(move.docPath)))
  return ok(heads)
}

async function isHosted(queries: Reading, workspaceId: WorkspaceId): Promise<boolean> {
  const found = await queries.query('select 1 from hosted where workspace = $1', [workspaceId])
  return found.length > 0
}

/** Nothing is written: the heads are as the moves would leave them, or CONFLICT says how they are. */
async function agreeWithHeads(
  queries: Reading,
  { workspaceId, origin }: MoveFacts,
  moves: readonly HeadMove[],
): Promise<Result<readonly Head[], 'CONFLICT'>> {
  const repeated = await versionsOf(queries, workspaceId, origin)
  if (repeated.length > 0) return ok(repeated)
  const current = await headRows(queries, workspaceId, docPathsOf(moves))
  const moved = moves.flatMap(({ docPath, sha256: wanted }) => {
    const sha256 = (current.get(docPath)?.sha256 ?? null) as Sha256 | null
    return sha256 === wanted ? [] : [{ docPath, sha256 }]
  })
  if (moved.length > 0) return headsMoved(moved)
  return ok([...current.values()].map(toVersionOf))
}

/** No sweep removes these blobs until the transaction ends. Returns those that are not there. */
async function holdBlobs(queries: Reading, hashes: readonly (Sha256 | null)[]): Promise<Sha256[]> {
  const named = [...new Set(hashes)].filter(sha256 => sha256 !== null)
  if (named.length === 0) return []
  const rows = await queries.query<{ sha256: Sha256 }>(
    'select sha256 from blobs where sha256 = any($1::text[]) order by sha256 for share',
    [named],
  )
  const there = new Set(rows.map(row => row.sha256))
  return named.filter(sha256 => !there.has(sha256))
}

async function headRows(
  queries: Reading,
  workspaceId: WorkspaceId,
  docPaths: readonly DocPath[],
): Promise<Map<DocPath, VersionRow>> {
  const rows = await queries.query<VersionRow>(HEADS, [workspaceId, docPaths])
  return new Map(rows.map(row => [row.doc_path as DocPath, row]))
}

export async function versionsOf(
  queries: Reading,
  workspaceId: WorkspaceId,
  origin: Origin,
): Promise<Head[]> {
  if (origin.kind !== 'change-set') return []
  const rows = await queries.query<VersionRow>(
    `select ${COLUMNS} from versions v where workspace = $1 and change_set = $2 order by id`,
    [workspaceId, origin.changeSetId],
  )
  return rows.map(toVersionOf)
}

async function moveHead(
  queries: Queries,
  place: MoveFacts,
  move: HeadMove,
  current: VersionRow | undefined,
): Promise<Head> {
  const same = current?.sha256 === move.sha256 && current.path === move.path
  // A change set is history even when it ends with the bytes it started with.
  if (same && place.origin.kind !== 'change-set') return toVersionOf(current)
  const id = await insertVersion(queries, place, move)
  await queries.run(
    `insert into heads (workspace, doc_path, version) values ($1, $2, $3)
     on conflict (workspace, doc_path) do update set version = excluded.version`,
    [place.workspaceId, move.docPath, id],
  )
  const { docPath, path, sha256, sizeBytes } = move
  return { docPath, path, sha256, sizeBytes, time: place.time, origin: place.origin }
}

async function insertVersion(
  queries: Queries,
  { workspaceId, origin, time }: MoveFacts,
  { docPath, path, sha256, sizeBytes }: Omit<SourceVersion, 'time' | 'origin'>,
): Promise<number> {
  const [row] = await queries.query<{ id: number }>(
    `insert into versions (workspace, doc_path, path, sha256, size_bytes, time, origin, change_set)
     values ($1, $2, $3, $4, $5, $6, $7, $8) returning id`,
    [
      workspaceId,
      docPath,
      path,
      sha256,
      sizeBytes,
      time,
      origin.kind,
      origin.kind === 'change-set' ? origin.changeSetId : null,
    ],
  )
  return row!.id
}

function docPathsOf(moves: readonly HeadMove[]): DocPath[] {
  return moves.map(({ docPath }) => docPath)
}

function toEntry(docPath: DocPath, row: VersionRow | undefined): [DocPath, Head][] {
  return row ? [[docPath, toVersionOf(row)]] : []
}

function toVersionOf(row: VersionRow): SourceVersion {
  return {
    docPath: row.doc_path as DocPath,
    path: row.path as RelativePath,
    sha256: row.sha256 as Sha256 | null,
    sizeBytes: row.size_bytes,
    time: row.time,
    origin: toOrigin(row),
  }
}

function toOrigin({ origin, change_set }: VersionRow): Origin {
  return origin === 'change-set'
    ? { kind: 'change-set', changeSetId: change_set as ChangeSetId }
    : ({ kind: origin } as Origin)
}
