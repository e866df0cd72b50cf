import {
  type ChangeSetId,
  type DocPath,
  ok,
  type RelativePath,
  resolveVersion,
  type Sha256,
  type WorkspaceId,
} from '@filewright/protocol'
import type { Blobs } from '../store/blobs.ts'
import { findMissing } from '../store/missing-blobs.ts'
import { blobsMissing, headsMoved } from '../store/source-failures.ts'
import {
  type Head,
  type HeadMove,
  MOST_PATHS,
  type Origin,
  type Sources,
  type SourceVersion,
} from '../store/sources.ts'
import type { Database } from './database/database.ts'

const PAGE = 1_000
const MOST_HELD = 10_000 // heads: some 3 MB

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

const VERSION_COLUMNS =
  'v.id, v.doc_path, v.path, v.sha256, v.size_bytes, v.time, v.origin, v.change_set'
const HEAD = `select ${VERSION_COLUMNS} from heads h join versions v on v.id = h.version where h.workspace = ?`

export function createSources(
  database: Database,
  blobs: Blobs,
  now: () => Date = () => new Date(),
): Sources {
  const held = new Map<string, SourceVersion | undefined>()
  const heldKey = (workspaceId: WorkspaceId, docPath: DocPath) => `${workspaceId}/${docPath}`

  /** One process owns the database: a head once read stays valid until this process moves it. */
  function headOf(workspaceId: WorkspaceId, docPath: DocPath): SourceVersion | undefined {
    const key = heldKey(workspaceId, docPath)
    if (held.has(key)) return held.get(key)
    const row = headRow(workspaceId, docPath)
    const head = row && toVersionOf(row)
    if (held.size >= MOST_HELD) held.clear()
    held.set(key, head)
    return head
  }

  function headRow(workspaceId: WorkspaceId, docPath: DocPath) {
    return database.get<VersionRow>(`${HEAD} and h.doc_path = ?`, workspaceId, docPath)
  }

  function insertVersion(
    workspaceId: WorkspaceId,
    version: Omit<SourceVersion, 'time' | 'origin'>,
    origin: Origin,
    time: string,
  ): number {
    return database.get<{ id: number }>(
      `insert into versions (workspace, doc_path, path, sha256, size_bytes, time, origin, change_set)
       values (?, ?, ?, ?, ?, ?, ?, ?) returning id`,
      workspaceId,
      version.docPath,
      version.path,
      version.sha256,
      version.sizeBytes,
      time,
      origin.kind,
      origin.kind === 'change-set' ? origin.changeSetId : null,
    )!.id
  }

  function moveHead(workspaceId: WorkspaceId, move: HeadMove, origin: Origin, time: string): Head {
    const current = headRow(workspaceId, move.docPath)
    const same = current?.sha256 === move.sha256 && current.path === move.path
    // A change set is history even when it ends with the bytes it started with.
    if (same && origin.kind !== 'change-set') return toVersionOf(current)
    const id = insertVersion(workspaceId, move, origin, time)
    database.run(
      `insert into heads (workspace, doc_path, version) values (?, ?, ?)
       on conflict (workspace, doc_path) do update set version = excluded.version`,
      workspaceId,
      move.docPath,
      id,
    )
    const { docPath, path, sha256, sizeBytes } = move
    return { docPath, path, sha256, sizeBytes, time, origin }
  }

  const moveHeads: Sources['moveHeads'] = async (workspaceId, moves, origin) => {
    const missing = await findMissing(
      blobs,
      moves.map(move => move.sha256),
    )
    if (missing.length > 0) return blobsMissing(missing)
    const forget = () => {
      for (const { docPath } of moves) held.delete(heldKey(workspaceId, docPath))
    }
    forget()
    const moving = database.write(() => {
      const repeated = versionsOf(workspaceId, origin)
      if (repeated.length > 0) return ok(repeated)
      const moved = moves.flatMap(({ docPath, expected }) => {
        if (expected === undefined) return []
        const current = (headRow(workspaceId, docPath)?.sha256 ?? null) as Sha256 | null
        return current === expected ? [] : [{ docPath, sha256: current }]
      })
      if (moved.length > 0) return headsMoved(moved)
      const time = now().toISOString()
      return ok(moves.map(move => moveHead(workspaceId, move, origin, time)))
    })
    return moving.finally(forget) // a reader may meanwhile have seen what a failed flush undoes
  }

  function versionsOf(workspaceId: WorkspaceId, origin: Origin): Head[] {
    if (origin.kind !== 'change-set') return []
    return database
      .all<VersionRow>(
        `select ${VERSION_COLUMNS} from versions v where workspace = ? and change_set = ? order by id`,
        workspaceId,
        origin.changeSetId,
      )
      .map(toVersionOf)
  }

  function hashesOf(workspaceId: WorkspaceId, docPath: DocPath, prefix: string, limit: number) {
    return database
      .all<{ sha256: Sha256 }>(
        `select sha256 from versions where workspace = ? and doc_path = ? and substr(sha256, 1, ?) = ?
         group by sha256 order by max(id) desc limit ?`,
        workspaceId,
        docPath,
        prefix.length,
        prefix,
        limit,
      )
      .map(row => row.sha256)
  }

  function hasVersion(workspaceId: WorkspaceId, sha256: Sha256, docPath?: DocPath): boolean {
    const found = docPath
      ? database.get(
          'select 1 from versions where sha256 = ? and workspace = ? and doc_path = ? limit 1',
          sha256,
          workspaceId,
          docPath,
        )
      : database.get(
          'select 1 from versions where sha256 = ? and workspace = ? limit 1',
          sha256,
          workspaceId,
        )
    return found !== undefined
  }

  return {
    async head(workspaceId, docPath) {
      return headOf(workspaceId, docPath)
    },
    async heads(workspaceId, docPaths) {
      const found = docPaths.flatMap(docPath => headRow(workspaceId, docPath) ?? [])
      return new Map(found.map(row => [row.doc_path as DocPath, toVersionOf(row)]))
    },
    moveHeads,
    async addVersion(workspaceId, version) {
      const missing = await findMissing(blobs, [version.sha256])
      if (missing.length > 0) return blobsMissing(missing)
      const origin = { kind: 'buffer' } as const
      const time = now().toISOString()
      await database.write(() => {
        if (!hasVersion(workspaceId, version.sha256, version.docPath))
          insertVersion(workspaceId, version, origin, time)
      })
      return ok({ ...version, origin, time })
    },
    async resolveVersion(workspaceId, docPath, version) {
      const matching = hashesOf(workspaceId, docPath, version, 10)
      const known = matching.length > 0 ? matching : hashesOf(workspaceId, docPath, '', 5)
      return resolveVersion(version, known, docPath)
    },
    async history(workspaceId, docPath, { before, limit = PAGE } = {}) {
      const rows = database.all<VersionRow>(
        `select ${VERSION_COLUMNS} from versions v
         where workspace = ? and doc_path = ? and id < ? order by id desc limit ?`,
        workspaceId,
        docPath,
        before === undefined ? Number.MAX_SAFE_INTEGER : Number(before),
        limit + 1,
      )
      const items = rows.slice(0, limit)
      const next = rows.length > limit ? { next: String(items.at(-1)!.id) } : {}
      return { items: items.map(toVersionOf), ...next }
    },
    pathsOf: async (workspaceId, sha256) =>
      database
        .all<{ doc_path: DocPath }>(
          'select distinct doc_path from versions where sha256 = ? and workspace = ? limit ?',
          sha256,
          workspaceId,
          MOST_PATHS,
        )
        .map(row => row.doc_path),
    knows: async (workspaceId, sha256) => hasVersion(workspaceId, sha256),
    async read(workspaceId, docPath, sha256) {
      return hasVersion(workspaceId, sha256, docPath) ? blobs.get(sha256) : undefined
    },
  }
}

function toVersionOf(row: VersionRow): SourceVersion {
  return {
    docPath: row.doc_path as DocPath,
    path: row.path as RelativePath,
    sha256: row.sha256 as Sha256 | null,
    sizeBytes: row.size_bytes,
    time: row.time,
    origin: row.change_set
      ? { kind: 'change-set', changeSetId: row.change_set as ChangeSetId }
      : ({ kind: row.origin } as Origin),
  }
}
