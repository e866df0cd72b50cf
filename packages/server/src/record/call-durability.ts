import type { JournalLine } from '@filewright/protocol'
import { findTool, type Tool } from '@filewright/tools'

/**
 * When the rows of a call outside a run have to be on the disk (decisions 16, 24 and 32).
 *
 * - `after`: it only reads. Both rows are written once the answer is out; lost, nothing was done.
 * - `beside`: its draft keeps the call and its outcome durably itself; rows that a crash takes are made again from it.
 * - `ahead`: the row of the call is on the disk before its effect, so that a crash leaves something to ask about.
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

/** Nothing is done on their strength before a row that is not among them follows; a read can be done again. */
const MAY_WAIT: ReadonlySet<string> = new Set([
  'context',
  'assistant_message',
  'usage',
  'tool_result',
])

/** The same for rows of a run, which is resumed from them: every call that writes is `ahead`. */
export function acknowledgeOf(lines: readonly JournalLine[]): 'durable' | 'durable-soon' {
  return lines.every(mayWait) ? 'durable-soon' : 'durable'
}

function mayWait(line: JournalLine): boolean {
  if (line.type !== 'call-start') return MAY_WAIT.has(line.type)
  return findTool(line.name)?.declaration.writes === 'nothing'
}
