import {
  type DocPath,
  ok,
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

const PAGE = 1_000

/** The same contract without a disk, for tests. */
export interface MemorySources extends Sources {
  /** Whether any version has these bytes. */
  names(sha256: Sha256): boolean
}

interface WorkspaceVersions {
  /** Oldest first. */
  readonly versions: SourceVersion[]
  readonly heads: Map<DocPath, Head>
}

export function createMemorySources(blobs: Blobs, now: () => Date): MemorySources {
  const workspaces = new Map<WorkspaceId, WorkspaceVersions>()

  function of(workspaceId: WorkspaceId): WorkspaceVersions {
    const known = workspaces.get(workspaceId) ?? { versions: [], heads: new Map() }
    workspaces.set(workspaceId, known)
    return known
  }

  /** Newest first. */
  function versionsOf(workspaceId: WorkspaceId, docPath: DocPath): SourceVersion[] {
    return of(workspaceId)
      .versions.filter(version => version.docPath === docPath)
      .reverse()
  }

  function hasVersion(workspaceId: WorkspaceId, docPath: DocPath, sha256: Sha256): boolean {
    return versionsOf(workspaceId, docPath).some(version => version.sha256 === sha256)
  }

  const moveHeads: Sources['moveHeads'] = async (workspaceId, moves, origin) => {
    const missing = await findMissing(
      blobs,
      moves.map(move => move.sha256),
    )
    if (missing.length > 0) return blobsMissing(missing)
    const known = of(workspaceId)
    const repeated = known.versions.filter(version => isOf(version, origin))
    if (repeated.length > 0) return ok(repeated)
    const moved = moves.flatMap(({ docPath, expected }) => {
      const sha256 = known.heads.get(docPath)?.sha256 ?? null
      return expected === undefined || expected === sha256 ? [] : [{ docPath, sha256 }]
    })
    if (moved.length > 0) return headsMoved(moved)
    const time = now().toISOString()
    return ok(moves.map(move => moveHead(known, move, origin, time)))
  }

  return {
    names: sha256 =>
      [...workspaces.values()].some(({ versions }) =>
        versions.some(version => version.sha256 === sha256),
      ),
    head: async (workspaceId, docPath) => of(workspaceId).heads.get(docPath),
    async heads(workspaceId, docPaths) {
      const { heads } = of(workspaceId)
      return new Map(docPaths.flatMap(docPath => heads.get(docPath) ?? []).map(byDocPath))
    },
    moveHeads,
    async addVersion(workspaceId, given) {
      const missing = await findMissing(blobs, [given.sha256])
      if (missing.length > 0) return blobsMissing(missing)
      const version = { ...given, origin: { kind: 'buffer' }, time: now().toISOString() } as const
      if (!hasVersion(workspaceId, given.docPath, given.sha256))
        of(workspaceId).versions.push(version)
      return ok(version)
    },
    async resolveVersion(workspaceId, docPath, version) {
      const all = versionsOf(workspaceId, docPath).flatMap(({ sha256 }) => sha256 ?? [])
      const matching = all.filter(sha256 => sha256.startsWith(version))
      const known = [...new Set(matching.length > 0 ? matching : all.slice(0, 5))]
      return resolveVersion(version, known, docPath)
    },
    async history(workspaceId, docPath, { before = '0', limit = PAGE } = {}) {
      const start = Number(before)
      const rest = versionsOf(workspaceId, docPath).slice(start)
      const items = rest.slice(0, limit)
      return rest.length > limit ? { items, next: String(start + limit) } : { items }
    },
    async pathsOf(workspaceId, sha256) {
      const having = of(workspaceId).versions.filter(version => version.sha256 === sha256)
      return [...new Set(having.map(({ docPath }) => docPath))].slice(0, MOST_PATHS)
    },
    async knows(workspaceId, sha256) {
      return of(workspaceId).versions.some(version => version.sha256 === sha256)
    },
    async read(workspaceId, docPath, sha256) {
      return hasVersion(workspaceId, docPath, sha256) ? blobs.get(sha256) : undefined
    },
  }
}

function moveHead(known: WorkspaceVersions, move: HeadMove, origin: Origin, time: string): Head {
  const { docPath, path, sha256, sizeBytes } = move
  const current = known.heads.get(docPath)
  const isSame = current?.sha256 === sha256 && current.path === path
  // a change set is history even where it ends at the bytes it began with
  if (isSame && origin.kind !== 'change-set') return current
  const head = { docPath, path, sha256, sizeBytes, time, origin }
  known.versions.push(head)
  known.heads.set(docPath, head)
  return head
}

function isOf(version: SourceVersion, origin: Origin): boolean {
  return (
    origin.kind === 'change-set' &&
    version.origin.kind === 'change-set' &&
    version.origin.changeSetId === origin.changeSetId
  )
}

function byDocPath(head: Head): [DocPath, Head] {
  return [head.docPath, head]
}
