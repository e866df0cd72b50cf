import { type DraftId, LIMITS, type Sha256 } from '@filewright/protocol'
import { type CheckpointStore, removeOldCheckpoints } from './apply/checkpoints.ts'
import type { DraftStore } from './draft/draft-store.ts'
import type { ClientState } from './state/client-state.ts'
import type { StateBlobs } from './state/state-blobs.ts'

export interface RetentionOptions extends Pick<ClientState, 'blobs' | 'checkpoints' | 'cleaning'> {
  readonly drafts: DraftStore
  /** Milliseconds since 1970. */
  readonly now: number
  readonly maxAgeMs?: number
  readonly maxBytes?: number
}

export interface Removed {
  readonly checkpoints: number
  readonly drafts: number
  readonly blobs: number
}

const DAY_MS = 24 * 60 * 60 * 1000

/** At most once a day, because it scans everything. */
export async function removeOldStateDaily(options: RetentionOptions): Promise<Removed | undefined> {
  const { cleaning, now } = options
  const last = await cleaning.read()
  if (last !== undefined && Math.abs(now - last) < DAY_MS) return undefined // a time in the future is ignored
  const removed = await removeOldState(options)
  await cleaning.write(now)
  return removed
}

/**
 * Removes checkpoints and closed drafts after 30 days, then the oldest of both beyond 2 GB; never an open draft
 * (CONTRACT §7). Bytes that no draft names any more go with them.
 */
export async function removeOldState(options: RetentionOptions): Promise<Removed> {
  const { blobs, drafts, checkpoints, now } = options
  const { maxAgeMs = LIMITS.retentionMs, maxBytes = LIMITS.retentionBytes } = options
  const aged = await removeOldCheckpoints(checkpoints, { now, maxAgeMs, maxBytes: Infinity })
  const kept = await findKept(options)
  const removed = { checkpoints: aged.length, drafts: 0 }
  let bytes = kept.openBytes
  for (const item of kept.items) {
    bytes += item.sizeBytes
    if (now - item.time <= maxAgeMs && bytes <= maxBytes) continue
    if ('draftId' in item) await drafts.remove(item.draftId)
    else await checkpoints.remove(item.changeSetId)
    removed['draftId' in item ? 'drafts' : 'checkpoints']++
  }
  return { ...removed, blobs: await removeUnnamedBlobs(blobs, drafts, now) }
}

type Item = { readonly time: number; readonly sizeBytes: number } & (
  | { readonly draftId: DraftId }
  | {
      readonly changeSetId: Awaited<ReturnType<CheckpointStore['list']>>[number]['changeSetId']
    }
)

/** Candidates for removal, newest first; bytes that several drafts name count for the newest of them. */
async function findKept({ blobs, drafts, checkpoints }: RetentionOptions) {
  const sizes = new Map((await blobs.list()).map(blob => [blob.sha256, blob.sizeBytes]))
  const take = (named: ReadonlySet<string>) => {
    let total = 0
    for (const sha256 of named) {
      total += sizes.get(sha256 as Sha256) ?? 0
      sizes.delete(sha256 as Sha256)
    }
    return total
  }
  const all = [...(await drafts.list())].reverse()
  let openBytes = 0
  const items: Item[] = []
  for (const { id } of await drafts.damaged()) openBytes += take(await drafts.namedBlobs(id))
  for (const draft of all)
    if (draft.state === 'open') openBytes += take(await drafts.namedBlobs(draft.id))
  for (const draft of all)
    if (draft.state !== 'open') {
      const sizeBytes = take(await drafts.namedBlobs(draft.id))
      items.push({ draftId: draft.id, time: Date.parse(draft.touched), sizeBytes })
    }
  for (const { changeSetId, time, keptBytes } of await checkpoints.list())
    items.push({ changeSetId, time, sizeBytes: keptBytes })
  return { openBytes, items: items.sort((a, b) => b.time - a.time) }
}

/** A call stores its bytes before the line that names them, so new bytes stay. */
async function removeUnnamedBlobs(
  blobs: StateBlobs,
  drafts: DraftStore,
  now: number,
): Promise<number> {
  const named = new Set<string>()
  for (const { id } of [...(await drafts.list()), ...(await drafts.damaged())])
    for (const sha256 of await drafts.namedBlobs(id)) named.add(sha256)
  let removed = 0
  for (const { sha256 } of await blobs.list())
    if (!named.has(sha256) && (await blobs.remove(sha256, { unusedSince: now - DAY_MS }))) removed++
  return removed
}
