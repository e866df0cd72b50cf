import {
  type BodyOf,
  fail,
  ok,
  parseDocPath,
  type RelativePath,
  type Result,
  type WorkspaceId,
} from '@filewright/protocol'
import type { Arrivals } from '../../sources/arrivals.ts'
import type { Blobs } from '../../store/blobs.ts'
import type { HeadMove } from '../../store/sources.ts'

type GivenHead = BodyOf<'moveHeads'>['heads'][number]

/** Checks the heads that a client reports against the bytes it put; the store knows the current heads. */
export async function toHeadMoves(
  heads: readonly GivenHead[],
  workspaceId: WorkspaceId,
  { arrivals, blobs }: { readonly arrivals: Arrivals; readonly blobs: Blobs },
): Promise<Result<HeadMove[]>> {
  const moves: HeadMove[] = []
  const missing: string[] = []
  for (const head of heads) {
    const docPath = parseDocPath(head.docPath)
    if (!docPath.ok) return docPath
    const spelled = parseDocPath(head.path)
    if (!spelled.ok) return spelled
    if (spelled.value !== docPath.value)
      return fail(
        'INVALID_ARGUMENT',
        `No head was moved: the path "${head.path}" is not a spelling of the docPath "${docPath.value}".`,
      )
    const { sha256, expected } = head
    const isThere = sha256 === null || (await arrivals.has(workspaceId, sha256))
    const sizeBytes = sha256 === null ? 0 : isThere ? await blobs.size(sha256) : undefined
    if (sizeBytes === undefined) missing.push(String(sha256))
    else
      moves.push({
        docPath: docPath.value,
        path: head.path as RelativePath,
        expected,
        sha256,
        sizeBytes,
      })
  }
  return missing.length > 0 ? notPut(missing) : ok(moves)
}

function notPut(missing: readonly string[]): Result<never> {
  return fail(
    'NOT_FOUND',
    `No head was moved: the bytes ${missing.join(', ')} are not in this workspace. Upload them first, then move the heads.`,
    { details: { missing } },
  )
}
