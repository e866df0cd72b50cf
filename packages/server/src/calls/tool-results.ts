import type { SessionId, ToolCallId } from '@filewright/protocol'
import type { Results } from '@filewright/tools'
import type { SessionLog } from '../log/log.ts'
import type { Blobs } from '../store/blobs.ts'

/** The whole results of this session that the model saw shortened. */
export function toolResults(log: SessionLog, blobs: Blobs, sessionId: SessionId): Results {
  return {
    async read(toolCallId) {
      const row = await log.findResult(sessionId, toolCallId as ToolCallId)
      if (row?.body.type !== 'tool_result') return undefined
      const { full, content } = row.body
      if (!full) return content
      const bytes = await blobs.get(full.sha256 as never)
      return bytes && new TextDecoder().decode(bytes)
    },
  }
}
