import { toCallKey } from './call-key.ts'
import type { CallProgress } from './loop-state.ts'

/**
 * Which calls of a turn may run now, together (CONTRACT §7): adjacent reads, or one write. A call waits for every
 * earlier write, a write for every earlier call; results keep the order of the calls.
 */
export function nextCalls(
  calls: readonly CallProgress[],
  reads: readonly string[],
): CallProgress[] {
  const group: CallProgress[] = []
  const keys = new Set<string>()
  for (const call of calls) {
    if (call.status === 'done') continue
    const isRead = reads.includes(call.name)
    if (!isRead) return group.length === 0 && call.status === 'asked' ? [call] : group
    if (call.status !== 'asked') return group
    const key = toCallKey(call.name, call.arguments)
    if (keys.has(key)) return group // the guard looks at the first one's result before it runs again
    keys.add(key)
    group.push(call)
  }
  return group
}
