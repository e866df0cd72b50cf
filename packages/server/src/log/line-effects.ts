import type { JournalLine, LineOf } from '@filewright/protocol'
import type { SessionState } from './log.ts'

/** Whether appending it changes more than the log: its session, or the set of named blobs. */
export function hasEffects({ body }: { readonly body: JournalLine }): boolean {
  if (body.type === 'conversation-start') return true
  return stateAfter(body) !== undefined || blobsNamedBy(body).length > 0
}

/** The session's state after the line; undefined: unchanged. */
export function stateAfter(body: JournalLine): SessionState | undefined {
  if (body.type === 'run-start') return 'running'
  if (body.type === 'run-end') return body.reason === 'waiting' ? 'waiting' : 'idle'
  return 'resumes' in body ? 'running' : undefined
}

export function blobsNamedBy(body: JournalLine): readonly string[] {
  if (body.type === 'tool_result')
    return [...(body.full ? [body.full.sha256] : []), ...picturesIn(body)]
  if (body.type === 'user_message' || body.type === 'steer') return picturesIn(body)
  if (body.type === 'context') return body.layers.map(layer => layer.sha256)
  return []
}

function picturesIn({ images = [] }: Pick<LineOf<'user_message'>, 'images'>): readonly string[] {
  return images.map(({ sha256 }) => sha256)
}
