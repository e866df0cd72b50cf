import type { JournalLine } from '@filewright/protocol'
import { findTool, type Tool } from '@filewright/tools'

/**
 * When the rows of a call outside a run have to be on the disk (decisions 16, 24 and 32).
 *
 * - `after`: it only reads. Both rows are written after the answer; losing them costs nothing.
 * - `beside`: its draft keeps the call and its outcome durably, and rows that a crash takes are restored from it.
 * - `ahead`: the call's row is on the disk before its effect, so that after a crash its client can be asked about it.
 */
export type CallDurability = 'after' | 'beside' | 'ahead'

export function durabilityOf(
  tool: Tool | undefined,
  draftKeepsCalls: () => boolean,
): CallDurability {
  const writes = tool?.declaration.writes ?? 'nothing'
  if (writes === 'nothing') return 'after'
  return writes === 'draft' && draftKeepsCalls() ? 'beside' : 'ahead'
}

/** Nothing irreversible follows these rows before another kind of row; a read can be repeated. */
const MAY_WAIT: ReadonlySet<string> = new Set([
  'context',
  'assistant_message',
  'usage',
  'tool_result',
  'plan',
  'notice',
])

/** The same for rows of a run. The run is resumed from them, so every call that writes is `ahead`. */
export function acknowledgeOf(lines: readonly JournalLine[]): 'durable' | 'durable-soon' {
  return lines.every(mayWait) ? 'durable-soon' : 'durable'
}

function mayWait(line: JournalLine): boolean {
  if (line.type === 'helper') return mayWait(line.line)
  if (line.type !== 'call-start') return MAY_WAIT.has(line.type)
  return findTool(line.name)?.declaration.writes === 'nothing'
}
