import { createHash, randomBytes } from 'node:crypto'
import { ok, type Sha256 } from '@filewright/protocol'
import {
  hashMismatch,
  noUpload,
  tooLarge,
  uploadElsewhere,
  uploadLocked,
} from '../../store/blob-failures.ts'
import type { Blobs, Pieces } from '../../store/blobs.ts'
import type { Postgres } from '../database/postgres.ts'
import { type BlobRows, fromRow } from './blob-rows.ts'
import type { Bucket } from './bucket.ts'
import {
  deleteParts,
  type InParts,
  newName,
  type Part,
  partsOf,
  putPart,
  readParts,
  sizeOf,
} from './object-parts.ts'

/** A request that sends a part holds the upload so long, and again with each part that is stored. */
const HOLD = "clock_timestamp() + interval '2 minutes'"
const STALE = "clock_timestamp() - interval '1 day'" // an upload without progress for a day is abandoned

interface UploadRow {
  readonly object: string
  readonly parts: string
}

interface Held extends InParts {
  readonly holder: string
}

type Uploads = Pick<Blobs, 'uploadOffset' | 'appendUpload' | 'finishUpload'> & {
  sweepStale(): Promise<void>
}

/** Uploads that may go on at another instance: their parts are in the bucket, and a row says how far they are. */
export function createUploads(
  database: Postgres,
  bucket: Bucket,
  rows: BlobRows,
  maxBytes: number,
): Uploads {
  async function end(sha256: Sha256, { id }: InParts): Promise<void> {
    await database.repeat('delete from uploads where sha256 = $1 and object = $2', [sha256, id])
  }

  async function release(sha256: Sha256, { holder }: Held): Promise<void> {
    await database.repeat(
      'update uploads set holder = null where sha256 = $1 and holder = $2 and size_bytes > 0',
      [sha256, holder],
    )
    await database.repeat('delete from uploads where sha256 = $1 and holder = $2', [sha256, holder])
  }

  async function addParts(sha256: Sha256, held: Held, pieces: Pieces) {
    const parts: Part[] = [...held.parts]
    let size = sizeOf(held)
    for await (const part of partsOf(pieces)) {
      size += part.length
      if (size > maxBytes) {
        await end(sha256, held)
        await deleteParts(bucket, parts)
        return tooLarge(maxBytes)
      }
      parts.push(await putPart(bucket, part))
      const [row] = await database.repeat(
        `update uploads set parts = $3, size_bytes = $4, touched = clock_timestamp(), held_until = ${HOLD}
         where sha256 = $1 and holder = $2 returning 1`,
        [sha256, held.holder, JSON.stringify(parts), size],
      )
      if (!row) return uploadLocked(sha256) // it took too long, and another request goes on
    }
    return ok({ offset: size })
  }

  async function appendUpload(sha256: Sha256, offset: number, pieces: Pieces) {
    const held = await hold(database, sha256, newName())
    if (!held) return uploadLocked(sha256)
    try {
      if (sizeOf(held) !== offset) return uploadElsewhere(sha256, offset, sizeOf(held))
      return await addParts(sha256, held, pieces)
    } finally {
      await release(sha256, held)
    }
  }

  async function finishHeld(sha256: Sha256, held: Held) {
    const hash = createHash('sha256')
    const range = { start: 0, end: sizeOf(held) }
    for await (const piece of readParts(bucket, held, range)) hash.update(piece)
    const found = hash.digest('hex')
    const isKept = found === sha256 && (await rows.add(sha256, held))
    await end(sha256, held)
    if (!isKept) await deleteParts(bucket, held.parts)
    return found === sha256 ? ok({ sha256, sizeBytes: range.end }) : hashMismatch(sha256, found)
  }

  return {
    async uploadOffset(sha256) {
      const [row] = await database.repeat<{ size_bytes: number }>(
        'select size_bytes from uploads where sha256 = $1',
        [sha256],
      )
      return row?.size_bytes ?? 0
    },
    appendUpload,
    async finishUpload(sha256) {
      const held = await hold(database, sha256)
      if (held) return finishHeld(sha256, held).finally(() => release(sha256, held))
      const [row] = await database.repeat('select 1 from uploads where sha256 = $1', [sha256])
      if (row) return uploadLocked(sha256)
      const blob = await rows.find(sha256)
      return blob ? ok({ sha256, sizeBytes: sizeOf(blob) }) : noUpload(sha256)
    },
    async sweepStale() {
      const stale = await database.repeat<UploadRow>(
        `delete from uploads where touched < ${STALE} returning object, parts`,
      )
      for (const row of stale) await deleteParts(bucket, fromRow(row).parts)
    },
  }
}

/** Undefined while another request holds the upload, or when there is none and `newObject` is not given. */
async function hold(
  database: Postgres,
  sha256: Sha256,
  object?: string,
): Promise<Held | undefined> {
  const holder = randomBytes(8).toString('hex')
  const free = '(uploads.holder is null or uploads.held_until < clock_timestamp())'
  const [row] = object
    ? await database.query<UploadRow>(
        `insert into uploads (sha256, object, parts, size_bytes, holder, held_until)
         values ($1, $3, '[]', 0, $2, ${HOLD})
         on conflict (sha256) do update set holder = $2, held_until = ${HOLD} where ${free}
         returning object, parts`,
        [sha256, holder, object],
      )
    : await database.query<UploadRow>(
        `update uploads set holder = $2, held_until = ${HOLD} where sha256 = $1 and ${free}
         returning object, parts`,
        [sha256, holder],
      )
  return row && { ...fromRow(row), holder }
}
