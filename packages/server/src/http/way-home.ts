import type { WorkspaceId } from '@filewright/protocol'
import type { Hosting } from '../sources/hosting.ts'
import type { Homes } from '../store/homes.ts'
import { createForward, type Forward, isAttaching } from './forward.ts'
import { toResponse } from './guard.ts'

/**
 * A request goes to the home of its workspace. A hosted workspace that has none gets one here, before the request is
 * answered.
 */
export function createWayHome(homes: Homes, { open }: Pick<Hosting, 'open'>): Forward {
  const forward = createForward(homes)
  return async (request, given) => {
    const workspaceId = given as WorkspaceId
    const passed = await forward(request, given)
    if (passed) return passed
    const isHere = await open(workspaceId)
    if (isHere === undefined) return undefined
    if (isAttaching(request))
      return toResponse(
        'denied',
        'The files of this workspace are in the store of this server: no folder is attached to it.',
      )
    if (isHere) return undefined
    return toResponse(
      'unavailable',
      'This workspace is moving to another instance. Try again in a few seconds.',
    )
  }
}
