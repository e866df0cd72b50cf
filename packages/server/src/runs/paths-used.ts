import { rowsInView, type SessionId } from '@filewright/protocol'
import type { SessionLog } from '../log/log.ts'

const PATHS_USED = 50
const ROWS_LOOKED_AT = 500 // the newest; paths used long ago do not help in a prompt

/** Paths that earlier calls of the session named, newest last, each with the version in its last result. */
export async function findPathsUsed(log: SessionLog, sessionId: SessionId) {
  const last = await log.lastSeq(sessionId)
  const rows = await log.read(sessionId, {
    after: Math.max(0, last - ROWS_LOOKED_AT),
    limit: ROWS_LOOKED_AT,
  })
  const paths = new Map<string, { path: string; version?: string }>()
  const calls = new Map<string, string>()
  for (const { body } of rowsInView(rows)) {
    if (body.type === 'call-start') {
      const path = /"(?:path|docPath)"\s*:\s*"([^"\\]+)"/.exec(body.arguments)?.[1]
      if (!path) continue
      const before = paths.get(path)
      paths.delete(path)
      paths.set(path, before ?? { path })
      calls.set(body.tool_call_id, path)
    }
    const path = body.type === 'tool_result' ? calls.get(body.tool_call_id) : undefined
    if (path === undefined || body.type !== 'tool_result' || !body.success) continue
    const version = VERSION.exec(body.content)?.[1]
    if (version) paths.set(path, { path, version })
  }
  return [...paths.values()].slice(-PATHS_USED)
}

const VERSION = /\bversion"?[ :]+"?([0-9a-f]{8})\b/ // in a header, a sentence or a field, always before any content
