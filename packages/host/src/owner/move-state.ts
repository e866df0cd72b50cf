import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fail, type Result } from '@filewright/protocol'
import { claimOwnership } from '@filewright/server'
import type { MovedState } from '@filewright/server/move'
import type { Config } from '../settings/config.ts'
import { folderKey, sharedFolderKey } from './folders.ts'
import { toSharedPlace } from './open-state.ts'

/** Moves what a state folder holds to the database and the bucket that the settings name. */
export async function moveState(
  from: string,
  { shared }: Config,
  onProgress: (sentence: string) => void,
): Promise<Result<MovedState>> {
  const place = toSharedPlace(shared ?? { keys: {} })
  if (!place.ok) return place
  if (!existsSync(join(from, 'filewright.db')))
    return fail('NOT_FOUND', `Nothing was moved: there is no state of Filewright in "${from}".`)
  const ownership = await claimOwnership(from)
  if (!ownership)
    return fail(
      'LOCKED',
      `Nothing was moved: a Filewright process uses "${from}". Stop it and try again.`,
    )
  try {
    const { moveStores } = await import('@filewright/server/move')
    return await moveStores(from, place.value, { toKey: toSharedKey, onProgress })
  } finally {
    ownership.release()
  }
}

/** A folder of this machine keeps its workspace. */
function toSharedKey(key: string, value: string): string {
  if (!key.startsWith('workspace/')) return key
  const { place } = JSON.parse(value) as { place?: string }
  const isOurs = place !== undefined && key === `workspace/${folderKey(place)}`
  return isOurs ? `workspace/${sharedFolderKey(place)}` : key
}
