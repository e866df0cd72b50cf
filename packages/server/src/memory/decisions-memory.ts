import type { DecisionLog, KeptDecision } from '../store/decisions.ts'

/** The same contract without a disk, for tests. */
export function createMemoryDecisions(): DecisionLog {
  const kept: KeptDecision[] = []
  return {
    begin: async decided => kept.push({ ...decided, position: kept.length + 1 }),
    async end(position, outcome, result) {
      const row = kept[position - 1]
      if (row && row.outcome === undefined)
        kept[position - 1] = { ...row, outcome, ...(result !== undefined && { result }) }
    },
    async list({ before = Number.POSITIVE_INFINITY, limit, workspaces }) {
      return kept
        .filter(({ position, workspaceId }) => {
          const isOwn =
            !workspaces || (workspaceId !== undefined && workspaces.includes(workspaceId))
          return isOwn && position < before
        })
        .reverse()
        .slice(0, limit)
    },
  }
}
