import {
  fail,
  ok,
  type Result,
  type Sha256,
  type StoredBlob,
  type WorkspaceId,
} from '@filewright/protocol'
import type { Arrivals } from '../../sources/arrivals.ts'
import type { ReadableBytes } from '../../sources/readable-bytes.ts'
import { uploadElsewhere } from '../../store/blob-failures.ts'
import type { Blobs, ByteRange, Pieces } from '../../store/blobs.ts'
import type { Quotas } from '../quotas.ts'
import type { RouteRequest, Routes } from '../route.ts'
import { holds } from '../scope.ts'
import type { Within } from './within.ts'

export interface BlobRouteParts {
  readonly blobs: Blobs
  readonly arrivals: Arrivals
  readonly quotas: Quotas
  readonly readable: ReadableBytes
}

/**
 * Bytes by hash, raw and streamed both ways. `linkBlob` is for the client of the folder, which may be about to write them;
 * anybody else gets what some path would give.
 */
export function createBlobRoutes(
  { blobs, arrivals, quotas, readable }: BlobRouteParts,
  within: Within,
): Pick<Routes, 'hasBlob' | 'getBlob' | 'linkBlob' | 'putBlob'> {
  return {
    hasBlob: within.folder(async ({ params: { workspaceId, sha256 } }) => {
      const isKnown = await arrivals.has(workspaceId, sha256)
      const size = isKnown ? await blobs.size(sha256) : undefined
      if (size !== undefined)
        return new Response(null, {
          headers: { 'content-length': String(size), 'upload-offset': String(size) },
        })
      const isOwn = await arrivals.isUploading(workspaceId, sha256)
      const offset = isOwn ? await blobs.uploadOffset(sha256) : 0
      return new Response(null, { status: 404, headers: { 'upload-offset': String(offset) } })
    }),

    async getBlob(request) {
      const { workspaceId, sha256 } = request.params
      const putsBytes = holds(request.scope, 'admin')
      const found = await within.workspace(() => readable.find(workspaceId, sha256, { putsBytes }))(
        request,
      )
      return found.ok ? send(request) : found
    },

    linkBlob: within.folder(async request => {
      const { workspaceId, sha256 } = request.params
      if (await arrivals.has(workspaceId, sha256)) return send(request)
      return fail('NOT_FOUND', `No version in this workspace has the bytes ${sha256}.`)
    }),

    putBlob: within.folder(async ({ params: { workspaceId, sha256 }, bytes, header, scope }) => {
      const part = partOf(header)
      if (!part.ok) return part
      const stored = await quotas.store<StoredBlob | { offset: number }>(scope, bytes, pieces =>
        part.value
          ? takePart(workspaceId, sha256, { bytes: pieces, ...part.value })
          : blobs.put(pieces, { sha256, durable: false }),
      )
      if (stored.ok && 'sha256' in stored.value) arrivals.note(workspaceId, sha256)
      return stored
    }),
  }

  async function send({
    params: { sha256 },
    request,
  }: Pick<RouteRequest<'getBlob'>, 'params' | 'request'>): Promise<Result<never> | Response> {
    const size = await blobs.size(sha256)
    const range = size === undefined ? 'whole' : rangeOf(request, size)
    if (range === 'beyond')
      return new Response(null, { status: 416, headers: { 'content-range': `bytes */${size}` } })
    const part = range === 'whole' ? undefined : range
    const stream = await blobs.stream(sha256, part)
    if (size === undefined || !stream)
      return fail('NOT_FOUND', `The bytes ${sha256} are gone from the store.`)
    return new Response(ReadableStream.from(stream), {
      status: part ? 206 : 200,
      headers: {
        'content-type': 'application/octet-stream',
        'content-length': String(part ? part.end - part.start : size),
        'accept-ranges': 'bytes',
        ...(part && { 'content-range': `bytes ${part.start}-${part.end - 1}/${size}` }),
      },
    })
  }

  /** The last part verifies the whole against its name. */
  async function takePart(
    workspaceId: WorkspaceId,
    sha256: Sha256,
    { bytes, offset, isLast }: { bytes: Pieces; offset: number; isLast: boolean },
  ) {
    const isOwn = await arrivals.isUploading(workspaceId, sha256)
    if (!isOwn && offset !== 0) return uploadElsewhere(sha256, offset, 0)
    if (!isOwn && (await blobs.uploadOffset(sha256)) > 0)
      return fail(
        'LOCKED',
        'Another workspace is sending the same bytes in parts. Send them whole, without Upload-Offset, or retry when it is done.',
      )
    if (!isOwn) await arrivals.beginUpload(workspaceId, sha256)
    const appended = await blobs.appendUpload(sha256, offset, bytes)
    if (!appended.ok || !isLast) return appended
    const finished = await blobs.finishUpload(sha256)
    if (finished.ok || finished.failure.code === 'HASH_MISMATCH') await arrivals.endUpload(sha256)
    return finished
  }
}

/** Which part this is; undefined means the whole. A header that says neither must not end the upload. */
function partOf(
  header: RouteRequest<'putBlob'>['header'],
): Result<{ offset: number; isLast: boolean } | undefined> {
  const offset = header('upload-offset')
  const complete = header('upload-complete') ?? '?1'
  if (offset !== null && !/^\d{1,15}$/.test(offset))
    return fail('INVALID_ARGUMENT', `Upload-Offset must be a count of bytes, not "${offset}".`)
  if (complete !== '?0' && complete !== '?1')
    return fail('INVALID_ARGUMENT', `Upload-Complete must be ?0 or ?1, not "${complete}".`)
  if (offset !== null) return ok({ offset: Number(offset), isLast: complete === '?1' })
  return complete === '?1'
    ? ok(undefined)
    : fail('INVALID_ARGUMENT', 'A part needs an Upload-Offset; the first starts at 0.')
}

/** A broken download continues with one range; anything else gets the whole (RFC 9110 §14.2). */
function rangeOf({ headers }: Request, size: number): ByteRange | 'whole' | 'beyond' {
  const asked = /^bytes=(\d*)-(\d*)$/.exec(headers.get('range')?.trim() ?? '')
  if (!asked || (asked[1] === '' && asked[2] === '')) return 'whole'
  const [first, last] = [asked[1]!, asked[2]!]
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size : Math.min(size, Number(last) + 1)
  if (first !== '' && last !== '' && Number(last) < Number(first)) return 'whole'
  return start >= size || end <= start ? 'beyond' : { start, end }
}
