import type { SessionId, ToolCallId } from '@filewright/protocol'
import type { Results } from '@filewright/tools'
import type { SessionLog } from '../log/log.ts'
import type { Blobs } from '../store/blobs.ts'

/** The results and the person's messages of this session that the model saw shortened, whole. */
export function toolResults(log: SessionLog, blobs: Blobs, sessionId: SessionId): Results {
  return {
    async read(toolCallId) {
      const seq = /^message-(\d{1,9})$/.exec(toolCallId)?.[1]
      if (seq) return readMessage(log, sessionId, Number(seq))
      const row = await log.findResult(sessionId, toolCallId as ToolCallId)
      const result = row?.body ?? (await findHelperResult(log, sessionId, toolCallId))
      if (!result) return undefined
      const { full, content } = result
      if (!full) return content
      const bytes = await blobs.get(full.sha256 as never)
      return bytes && new TextDecoder().decode(bytes)
    },
  }
}

/** A helper's rows are inside those of the call that it answers; it recalls rarely, so nothing indexes them. */
async function findHelperResult(log: SessionLog, sessionId: SessionId, toolCallId: string) {
  for (const { body } of await log.read(sessionId)) {
    const line = body.type === 'helper' ? body.line : undefined
    if (line?.type === 'tool_result' && line.tool_call_id === toolCallId) return line
  }
  return undefined
}

/** A message is named by its row, because one that is sent during a run has no other name. */
async function readMessage(log: SessionLog, sessionId: SessionId, seq: number) {
  const [row] = await log.read(sessionId, { after: seq - 1, limit: 1 })
  const body = row?.seq === seq ? row.body : undefined
  return body?.type === 'user_message' || body?.type === 'steer' ? body.text : undefined
}
