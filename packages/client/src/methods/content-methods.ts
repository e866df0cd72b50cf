import {
  type Applied,
  type DraftId,
  fail,
  type IdSource,
  inline,
  LIMITS,
  ok,
  parseRelativePath,
  type Result,
  type Sha256,
  toDocPath,
} from '@filewright/protocol'
import { readDraftContent } from '../draft/draft-content.ts'
import type { DraftStore } from '../draft/draft-store.ts'
import type { Desk } from '../draft/draft-view.ts'
import type { MethodTable } from '../link/answerer.ts'
import type { StoreBlobs } from '../link/store-blobs.ts'
import type { DiskWriter } from '../publish/disk-writer.ts'
import { listWrittenSets } from '../publish/written-sets.ts'

export interface ContentMethodsPorts {
  readonly desk: Desk
  readonly drafts: DraftStore
  readonly blobs: StoreBlobs
  /** Newest first. */
  readonly listWritten: () => Promise<Parameters<typeof listWrittenSets>[1]>
  readonly writer: Pick<DiskWriter, 'apply'>
  readonly ids: IdSource
  readonly fetchBase: (sha256: string) => Promise<Uint8Array | undefined>
  readonly hand: boolean
}

/** What a person sees of files without a model: their bytes, and what was written; and the files they bring themselves. */
export function createContentMethods(
  ports: ContentMethodsPorts,
): Pick<MethodTable, 'content' | 'upload' | 'change-sets'> {
  const { desk, drafts, blobs, hand } = ports
  return {
    async content({ path, draftId }) {
      const draft = draftId === undefined ? undefined : await drafts.find(draftId as DraftId)
      const drafted = draft?.state === 'open' && (await readDraftContent(ports, draft, path))
      if (drafted) return drafted
      const parsed = parseRelativePath(path)
      if (!parsed.ok) return parsed
      const allowPrivate = desk.allowsReading(toDocPath(parsed.value))
      return blobs.send(parsed.value, { allowPrivate, hand })
    },
    upload: given => upload(ports, given),
    'change-sets': async ({ limit }) =>
      ok({ changeSets: await listWrittenSets(drafts, await ports.listWritten(), limit) }),
  }
}

async function upload(
  { desk, writer, ids, fetchBase }: ContentMethodsPorts,
  { path: given, sha256, replace = false }: { path: string; sha256: string; replace?: boolean },
): Promise<Result<Applied>> {
  const path = parseRelativePath(given)
  if (!path.ok) return path
  const there = await desk.workspace.hash(path.value)
  if (!there.ok && there.failure.code !== 'NOT_FOUND') return there
  if (there.ok && !replace)
    return fail('CONFLICT', `Nothing was written: there is already a file "${given}".`)
  const bytes = await fetchBase(sha256)
  if (!bytes) return fail('NOT_FOUND', 'Nothing was written: the bytes did not arrive. Retry.')
  if (bytes.length > LIMITS.inputBytes)
    return fail(
      'TOO_LARGE',
      `Nothing was written: "${given}" has ${toMegabytes(bytes.length)}, and a file may have ${toMegabytes(LIMITS.inputBytes)} here. Copy it into the folder yourself.`,
    )
  const base = there.ok ? there.value.sha256 : null
  const docPath = toDocPath(path.value)
  const content = inline(bytes)
  return writer.apply({
    id: ids('changeSet'),
    label: `Add ${path.value}`,
    files: [{ docPath, path: path.value, base, content, sha256: sha256 as Sha256 }],
  })
}

function toMegabytes(bytes: number): string {
  return `${Number((bytes / 2 ** 20).toFixed(1))} MB`
}
