import { fail, ok, type Result } from '@filewright/protocol'
import {
  openSharedStores,
  openStores,
  parseBucketAddress,
  type SharedPlace,
  type Stores,
} from '@filewright/server'
import type { Config, SharedSettings } from '../settings/config.ts'

/** The stores of this machine, or those that several instances share. */
export async function openState({ stateRoot, shared, token }: Config): Promise<Result<Stores>> {
  if (!shared) return openStores(stateRoot)
  if (token && token.length < SHORTEST_TOKEN)
    return fail(
      'INVALID_ARGUMENT',
      `Cannot start: FILEWRIGHT_TOKEN has ${token.length} characters, and whoever has it reaches everything here. Use at least ${SHORTEST_TOKEN} random ones.`,
    )
  return openTogether(shared)
}

const SHORTEST_TOKEN = 24

async function openTogether(shared: SharedSettings): Promise<Result<Stores>> {
  const place = toSharedPlace(shared)
  return place.ok ? openSharedStores(place.value) : place
}

/** Both settings, or the one that is missing. */
export function toSharedPlace({ database, blobs, keys }: SharedSettings): Result<SharedPlace> {
  if (!database) return isMissing('FILEWRIGHT_DATABASE=postgres://…')
  if (!blobs) return isMissing('FILEWRIGHT_BLOBS=s3://BUCKET')
  const bucket = parseBucketAddress(blobs, keys)
  return bucket.ok ? ok({ database, bucket: bucket.value }) : bucket
}

function isMissing(setting: string) {
  return fail(
    'INVALID_ARGUMENT',
    `FILEWRIGHT_DATABASE and FILEWRIGHT_BLOBS belong together, since rows and bytes are shared together. Set ${setting} too.`,
  )
}
