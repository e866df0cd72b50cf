import { ACTIVE_FILES } from '@filewright/loop'
import { type SessionId, toVersion } from '@filewright/protocol'
import type { ActiveFile } from '@filewright/tools'
import type { SessionLog } from '../log/log.ts'

/** Whether the conversation's last prompt contained this file; what exceeded a bound is not in the context. */
export async function wasSent(
  log: SessionLog,
  sessionId: SessionId,
  { displayPath, sha256 }: ActiveFile,
): Promise<boolean> {
  const newest = await log.findLast(sessionId, 'context', 'conversation-start')
  if (newest?.body.type !== 'context') return true
  const name = `${displayPath}@${toVersion(sha256)}`
  return newest.body.layers.some(
    layer => layer.name === ACTIVE_FILES && layer.files?.includes(name),
  )
}
