import type { Applied, AppliedFile } from '@filewright/protocol'
import { routePath } from '@filewright/protocol'
import type { Fetch } from './link.ts'
import type { StateFolder } from './state/state-folder.ts'
import type { Workspace } from './workspace/workspace.ts'

/** What was applied here and the store must learn: kept until it did, so a server away loses nothing. */
export interface Uploads {
  /** Said durably before an apply, so that a crash right after it cannot keep its versions from the store. */
  intend(changeSetId: string): Promise<void>
  /** Remembers it durably, then tries; an upload that fails is tried again by `catchUp`. */
  add(applied: Applied): Promise<void>
  catchUp(): Promise<void>
  /** Applies that were intended when the last process died: those that took place are told to the store. */
  settle(find: (changeSetId: string) => Promise<Applied | undefined>): Promise<void>
}

export interface UploadOptions {
  readonly state: StateFolder
  readonly workspace: Workspace
  readonly fetch: Fetch
  readonly origin: string
  readonly token: string
  readonly workspaceId: () => string
  readonly onError: (error: unknown) => void
}

interface Waiting {
  readonly changeSetId: string
  readonly files: readonly AppliedFile[]
}
type UploadLine =
  | { readonly intend: string }
  | { readonly add: Waiting }
  | { readonly done: string }

const UPLOADS = 'uploads.jsonl'

export async function openUploads(options: UploadOptions): Promise<Uploads> {
  const { state, workspace, fetch, origin, token, onError } = options
  const waiting = new Map<string, Waiting>()
  const intended = new Set<string>()
  for (const line of await state.read<UploadLine>(UPLOADS)) {
    if ('intend' in line) intended.add(line.intend)
    else if ('add' in line) waiting.set(line.add.changeSetId, line.add)
    else waiting.delete(line.done)
    if ('add' in line) intended.delete(line.add.changeSetId)
  }

  const authorization = `Bearer ${token}`

  async function upload({ changeSetId, files }: Waiting) {
    const workspaceId = options.workspaceId()
    for (const file of files)
      if (file.after !== null) await uploadBytes(workspaceId, file.docPath, file.after)
    const heads = files.map(file => ({
      docPath: file.docPath,
      path: file.path,
      sha256: file.after,
      sizeBytes: file.sizeBytes,
    }))
    const response = await fetch(
      new Request(origin + routePath('moveHeads', { workspaceId }), {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ changeSetId, heads }),
      }),
    )
    if (!response.ok)
      throw new Error(`The store answered ${response.status} to the new heads of ${changeSetId}`)
    await state.append(UPLOADS, [{ done: changeSetId }])
    waiting.delete(changeSetId)
  }

  /** The disk wins: a file that moved on meanwhile is taken when it is read next. */
  async function uploadBytes(workspaceId: string, docPath: string, sha256: string) {
    const read = await workspace.read(docPath, { allowPrivate: true })
    if (!read.ok || read.value.sha256 !== sha256) return
    await putBlob({ fetch, origin, authorization, workspaceId, sha256, bytes: read.value.bytes })
  }

  async function add(applied: Applied) {
    const added: Waiting = { changeSetId: applied.changeSetId, files: applied.files }
    waiting.set(added.changeSetId, added)
    await state.append(UPLOADS, [{ add: added }])
    await upload(added).catch(onError)
  }

  return {
    intend: changeSetId => state.append(UPLOADS, [{ intend: changeSetId }]),
    add,
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

export interface PutBlob {
  readonly fetch: Fetch
  readonly origin: string
  readonly authorization: string
  readonly workspaceId: string
  readonly sha256: string
  readonly bytes: Uint8Array
}

export async function putBlob({
  fetch,
  origin,
  authorization,
  workspaceId,
  sha256,
  bytes,
}: PutBlob): Promise<void> {
  const response = await fetch(
    new Request(origin + routePath('putBlob', { workspaceId, sha256 }), {
      method: 'PUT',
      headers: { authorization, 'content-type': 'application/octet-stream' },
      body: bytes as Uint8Array<ArrayBuffer>,
    }),
  )
  if (!response.ok) throw new Error(`The store answered ${response.status} to the bytes ${sha256}`)
  await response.body?.cancel()
}
