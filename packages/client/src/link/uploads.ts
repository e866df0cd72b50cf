import type { Applied, AppliedFile, CallRoute, GivenBody } from '@filewright/protocol'
import { toDocPath } from '@filewright/protocol'
import type { Damage } from '../state/damage.ts'
import type { UploadList, WaitingUpload } from '../state/upload-list.ts'
import type { StoreBlobs } from './store-blobs.ts'

/** Applied changes that the store must learn: kept until it has, so an absent server loses nothing. */
export interface Uploads {
  /** Recorded durably before an apply, so that a crash right after it cannot hide its versions from the store. */
  intend(changeSetId: string): Promise<void>
  /** Records it durably, then tries; `catchUp` retries a failed upload. */
  add(applied: Applied): Promise<void>
  catchUp(): Promise<void>
  /** Logs that could not be read completely, for a person. */
  readonly trouble: readonly string[]
  /** When most of the log is settled, rewrites it with the rest: after `settle` and `catchUp`. */
  compact(): Promise<void>
  /** Applies that were intended when the last process died: the store learns those that happened. */
  settle(find: (changeSetId: string) => Promise<Applied | undefined>): Promise<void>
}

export interface UploadOptions {
  readonly list: UploadList
  readonly blobs: StoreBlobs
  readonly call: CallRoute
  readonly workspaceId: string
  /** A person allowed this key file to be read; the content of another one stays on this machine. */
  readonly allowsReading: (docPath: string) => boolean
  /** The files are in the store anyway, and what was applied is there. */
  readonly isStored?: boolean
  readonly onError: (error: unknown) => void
}

type UploadedHead = GivenBody<'moveHeads'>['heads'][number]

export async function openUploads(options: UploadOptions): Promise<Uploads> {
  const { list, blobs, call, workspaceId, allowsReading, isStored, onError } = options
  const loaded = await list.load()
  const waiting = new Map(loaded.waiting.map(upload => [upload.changeSetId, upload]))
  const intended = new Set(loaded.intended)

  async function upload({ changeSetId, files }: WaitingUpload) {
    const heads: UploadedHead[] = []
    const news = isStored ? [] : withoutOldSpellings(files)
    for (const { docPath, path, realPath, after, sizeBytes } of news)
      if (after === null ? await isGone(docPath) : await uploadBytes(docPath, after)) {
        const head = { sha256: after, sizeBytes }
        heads.push({ docPath, path, ...head })
        if (realPath) heads.push({ docPath: toDocPath(realPath), path: realPath, ...head })
      }
    if (heads.length > 0) await moveHeads(changeSetId, heads)
    await list.settle(changeSetId) // if this is lost, the same heads are sent again
    waiting.delete(changeSetId)
  }

  async function moveHeads(changeSetId: string, heads: readonly UploadedHead[]) {
    const body = { changeSetId, heads }
    const moved = await call('moveHeads', { params: { workspaceId }, body })
    if (!moved.ok)
      throw new Error(`The store refused the heads of ${changeSetId}: ${moved.failure.message}`)
  }

  /** The disk wins: a file that has changed since is uploaded when it is next read. */
  async function uploadBytes(docPath: string, sha256: string): Promise<boolean> {
    const sent = await blobs.send(docPath, { only: sha256, allowPrivate: allowsReading(docPath) })
    return sent.ok && sent.value.sha256 === sha256
  }

  /** The same for a file that exists again: its deletion comes late, after another change set was reported. */
  async function isGone(docPath: string): Promise<boolean> {
    const sent = await blobs.send(docPath, { only: '', allowPrivate: true })
    return !sent.ok && (sent.failure.code === 'NOT_FOUND' || sent.failure.code === 'InvalidPath')
  }

  async function add(applied: Applied) {
    const added: WaitingUpload = { changeSetId: applied.changeSetId, files: applied.files }
    waiting.set(added.changeSetId, added)
    await list.add(added) // if this is lost, the intended applies are looked up again
    await upload(added).catch(onError)
  }

  return {
    intend: list.intend,
    add,
    trouble: loaded.damage ? [describe(loaded.damage)] : [],
    compact: () => list.compact({ intended: [...intended], waiting: [...waiting.values()] }),
    async catchUp() {
      for (const left of [...waiting.values()]) await upload(left).catch(onError)
    },
    async settle(find) {
      for (const changeSetId of intended) {
        const applied = await find(changeSetId)
        if (applied) await add(applied)
      }
      intended.clear()
    },
  }
}

function describe({ lines, keptAs }: Damage): string {
  return `The list of versions to send to the store was damaged: ${lines} of its lines cannot be read. No file was touched; the store catches up when a file is next read. The damaged list is kept as ${keptAs} in the state folder.`
}

/** A respelled file was deleted and created: its key has one head, the existing file. */
function withoutOldSpellings(files: readonly AppliedFile[]): readonly AppliedFile[] {
  const there = new Set(files.flatMap(({ docPath, after }) => (after === null ? [] : docPath)))
  return files.filter(({ docPath, after }) => after !== null || !there.has(docPath))
}
