import type { CleaningMark } from '../state/client-state.ts'
import type { LineLogs } from './line-logs.ts'

const MARK = 'retention.jsonl'

export function createCleaningMark(logs: LineLogs): CleaningMark {
  return {
    async read() {
      const lines = await logs.read<{ readonly time: number }>(MARK)
      return lines?.[0]?.time
    },
    async write(time) {
      await logs.remove(MARK)
      await logs.append(MARK, [{ time }])
    },
  }
}
