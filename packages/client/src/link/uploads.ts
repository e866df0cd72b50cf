import type { Applied, AppliedFile, GivenBody, RouteClient } from '@filewright/protocol'
import { toDocPath } from '@filewright/protocol'
import type { StateFolder } from '../state/state-folder.ts'
import type { StoreBlobs } from './store-blobs.ts'

/** What was applied here and the store must learn: kept until it did, so a server away loses nothing. */
export interface Uploads {
  /** Said durably before an apply, so that a crash right after it cannot keep its versions from the store. */
  intend(changeSetId: string): Promise<void>
  /** Remembers it durably, then tries; an upload that fails is tried again by `catchUp`. */
  add(applied: Applied): Promise<void>
  catchUp(): Promise<void>
  /** Logs that could not be read whole, for a person. */
  readonly trouble: readonly string[]
  /** When most of the log is settled, it begins anew with the rest: after `settle` and `catchUp`. */
  compact(): Promise<void>
  /** Applies that were intended when the last process died: those that took place are told to the store. */
  settle(find: (changeSetId: string) => Promise<Applied | undefined>): Promise<void>
}

export interface UploadOptions {
  readonly state: StateFolder
  readonly blobs: StoreBlobs
  readonly server: RouteClient
  readonly workspaceId: string
  readonly onError: (error: unknown) => void
}

interface Waiting {
  readonly changeSetId: string
  readonly files: readonly AppliedFile[]
}
type UploadedHead = GivenBody<'moveHeads'>['heads'][number]
type UploadLine =
  | { readonly intend: string }
  | { readonly add: Waiting }
  | { readonly done: string }

const UPLOADS = 'uploads.jsonl'
export const MANY_LINES = 300 // about 100 change sets: reading them takes a millisecond

export async function openUploads(options: UploadOptions): Promise<Uploads> {
  const { state, blobs, server, workspaceId, onError } = options
  const waiting = new Map<string, Waiting>()
  const intended = new Set<string>()
  const { lines, lost, keptAs } = await state.salvage(UPLOADS, isUploadLine)
  for (const line of lines) {
    if ('intend' in line) intended.add(line.intend)
    else if ('add' in line) waiting.set(line.add.changeSetId, line.add)
    else waiting.delete(line.done)
    if ('add' in line) intended.delete(line.add.changeSetId)
  }

  if (lost > 0) await state.replace(UPLOADS, liveLines())
  let kept = lost > 0 ? 0 : lines.length

  function liveLines(): UploadLine[] {
    return [
      ...[...intended].map(intend => ({ intend })),
      ...[...waiting.values()].map(add => ({ add })),
    ]
  }

  async function upload({ changeSetId, files }: Waiting) {
    const heads: UploadedHead[] = []
    for (const { docPath, path, realPath, after, sizeBytes } of withoutOldSpellings(files))
      if (after === null ? await isGone(docPath) : await uploadBytes(docPath, after)) {
        const head = { sha256: after, sizeBytes }
        heads.push({ docPath, path, ...head })
        if (realPath) heads.push({ docPath: toDocPath(realPath), path: realPath, ...head })
      }
    if (heads.length > 0) await moveHeads(changeSetId, heads)
    await state.begin(UPLOADS, [{ done: changeSetId }]) // lost, the same heads are sent again
    waiting.delete(changeSetId)
  }

  async function moveHeads(changeSetId: string, heads: readonly UploadedHead[]) {
    const body = { changeSetId, heads }
    const response = await server.open('moveHeads', { params: { workspaceId }, body })
    if (!response.ok)
      throw new Error(`The store answered ${response.status} to the new heads of ${changeSetId}`)
    await response.body?.cancel()
  }

  /** The disk wins: a file that moved on meanwhile is taken when it is read next. */
  async function uploadBytes(docPath: string, sha256: string): Promise<boolean> {
    const sent = await blobs.send(docPath, { only: sha256, allowPrivate: true })
    return sent.ok && sent.value.sha256 === sha256
  }

  /** So does a file that is there again: its deletion comes late, after another change set was told. */
  async function isGone(docPath: string): Promise<boolean> {
    const sent = await blobs.send(docPath, { only: '', allowPrivate: true })
    return !sent.ok && (sent.failure.code === 'NOT_FOUND' || sent.failure.code === 'InvalidPath')
  }

  async function add(applied: Applied) {
    const added: Waiting = { changeSetId: applied.changeSetId, files: applied.files }
    waiting.set(added.changeSetId, added)
    await state.begin(UPLOADS, [{ add: added }]) // lost, what was intended is looked up again
    await upload(added).catch(onError)
  }

  return {
    intend: changeSetId => state.append(UPLOADS, [{ intend: changeSetId }]),
    add,
    trouble:
      lost > 0
        ? [
            `The list of versions that the store must learn was damaged: ${lost} of its lines cannot be read. The files are not touched; what the store missed it learns when a file is read next. The damaged list is kept as ${keptAs} in the state folder.`,
          ]
        : [],
    async compact() {
      const live = liveLines()
      if (kept < MANY_LINES || live.length * 2 > kept) return
      await state.replace(UPLOADS, live)
      kept = live.length
    },
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

function isUploadLine(line: unknown): line is UploadLine {
  const { intend, add, done } = Object(line) as Record<string, unknown>
  const { changeSetId, files } = Object(add) as Record<string, unknown>
  if (add !== undefined) return typeof changeSetId === 'string' && Array.isArray(files)
  return typeof intend === 'string' || typeof done === 'string'
}

/** A file that got another spelling was deleted and made: its key has one head, the file that is there. */
function withoutOldSpellings(files: readonly AppliedFile[]): readonly AppliedFile[] {
  const there = new Set(files.flatMap(({ docPath, after }) => (after === null ? [] : docPath)))
  return files.filter(({ docPath, after }) => after !== null || !there.has(docPath))
}
