import { createHash } from 'node:crypto'
import {
  type CallRoute,
  fail,
  LIMITS,
  ok,
  type Result,
  type RouteClient,
  type SourceFacts,
} from '@filewright/protocol'
import { isErrno, type OpenFile, readPieces, readWhole } from '../workspace/paths/folder.ts'
import { sha256Of } from '../workspace/tree/hash-content.ts'
import type { OpenedFile, OpenOptions, Workspace } from '../workspace/tree/workspace.ts'

/** Uploads bytes to a server's store, for one workspace. */
export interface StoreBlobs {
  /**
   * The current file; its bytes are uploaded first when the store does not know them. With `only` they are sent only if
   * they have that hash (never with an empty one). A large file is never held: it is uploaded in parts, and resumed
   * after a break.
   */
  send(docPath: string, options: SendFileOptions): Promise<Result<SourceFacts>>
  /** Uploads bytes at hand, under their hash. */
  put(sha256: string, bytes: Uint8Array): Promise<void>
}

export interface SendFileOptions extends OpenOptions {
  readonly known?: string | null
  readonly only?: string
  /** Includes the bytes of a file that is held anyway: for a server in this process. */
  readonly hand?: boolean
}

export interface StoreBlobsOptions {
  readonly workspace: Workspace
  readonly call: CallRoute
  readonly server: Pick<RouteClient, 'open'>
  readonly workspaceId: string
}

const PART_BYTES = 8 * 1024 * 1024
const MOST_TRIES = 5
const PAUSE_MS = 200

export function createStoreBlobs(options: StoreBlobsOptions): StoreBlobs {
  const { workspace, call, server, workspaceId } = options

  return {
    put: putPatiently,
    async send(docPath, { known, only, allowPrivate, hand }) {
      const opened = await workspace.open(docPath, { allowPrivate })
      if (!opened.ok) return opened
      const { path, sizeBytes, file } = opened.value
      const isWanted = (sha256: string) =>
        sha256 !== known && (only === undefined || sha256 === only)
      try {
        if (sizeBytes > LIMITS.blobBytes)
          return fail('TOO_LARGE', `"${path}" has ${sizeBytes} bytes, more than the store accepts.`)
        if (sizeBytes > PART_BYTES) return await sendLarge(opened.value, isWanted)
        const bytes = await readWhole(file)
        const sha256 = sha256Of(bytes)
        if (isWanted(sha256)) await putPatiently(sha256, bytes)
        const facts = { path, docPath: opened.value.docPath, sha256, sizeBytes: bytes.length }
        return ok(hand ? { ...facts, bytes } : facts)
      } catch (error) {
        if (!isErrno(error)) throw error
        return fail('LOCKED', `Cannot read "${path}": the system answered ${error.code}. Retry.`)
      } finally {
        file.close()
      }
    },
  }

  async function sendLarge(
    { path, docPath, file }: OpenedFile,
    isWanted: (sha256: string) => boolean,
  ): Promise<Result<SourceFacts>> {
    const hash = createHash('sha256')
    let sizeBytes = 0
    for await (const piece of readPieces(file)) {
      hash.update(piece)
      sizeBytes += piece.length
    }
    const sha256 = hash.digest('hex')
    if (isWanted(sha256)) await putParts(sha256, file, sizeBytes)
    return ok({ path, docPath, sha256, sizeBytes })
  }

  async function putParts(sha256: string, file: OpenFile, sizeBytes: number): Promise<void> {
    let failures = 0
    let known: number | undefined // until something goes wrong
    const buffer = Buffer.allocUnsafeSlow(PART_BYTES) // each part is stored before the next is read
    const allocate = (length: number) => buffer.subarray(0, length)
    for (;;) {
      try {
        const at = known ?? (await arrived(sha256))
        if (at === undefined) return
        const end = Math.min(at + PART_BYTES, sizeBytes)
        await put(sha256, await file.read(at, end - at, allocate), {
          'upload-offset': String(at),
          'upload-complete': end === sizeBytes ? '?1' : '?0',
        })
        if (end === sizeBytes) return
        known = end
        failures = 0
      } catch (error) {
        if (isErrno(error) || ++failures === MOST_TRIES) throw error
        known = undefined
        await new Promise(resolve => setTimeout(resolve, PAUSE_MS * 2 ** failures))
      }
    }
  }

  /** How much of it the store has; undefined: everything. */
  async function arrived(sha256: string): Promise<number | undefined> {
    const response = await server.open('hasBlob', { params: { workspaceId, sha256 } })
    return response.ok ? undefined : Number(response.headers.get('upload-offset') ?? 0)
  }

  /** A server or its stores may be away for a moment. */
  async function putPatiently(sha256: string, bytes: Uint8Array): Promise<void> {
    for (let attempt = 1; ; attempt++)
      try {
        return await put(sha256, bytes)
      } catch (error) {
        if (attempt === MOST_TRIES || error instanceof Refused) throw error
        await new Promise(resolve => setTimeout(resolve, PAUSE_MS * 2 ** attempt))
      }
  }

  async function put(
    sha256: string,
    bytes: Uint8Array,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const stored = await call('putBlob', { params: { workspaceId, sha256 }, bytes, headers })
    if (stored.ok) return
    const refusal = `The store refused the bytes ${sha256}: ${stored.failure.message}`
    throw stored.failure.kind === 'unavailable' ? new Error(refusal) : new Refused(refusal)
  }
}

/** Sent again it would be refused again. */
class Refused extends Error {}
