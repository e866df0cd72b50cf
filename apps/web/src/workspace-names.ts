import type { WorkspaceSummary } from '@filewright/protocol'

/**
 * The label of each workspace: its name, preceded by as much of its place as distinguishes it from others of that name.
 */
export function namesOf(workspaces: readonly WorkspaceSummary[]): ReadonlyMap<string, string> {
  return new Map(
    workspaces.map(workspace => {
      const others = workspaces.filter(
        other => other !== workspace && other.name === workspace.name,
      )
      return [
        workspace.workspaceId,
        others.length === 0 ? workspace.name : apart(workspace, others),
      ]
    }),
  )
}

function apart(workspace: WorkspaceSummary, others: readonly WorkspaceSummary[]): string {
  const parts = partsOf(workspace)
  for (let count = 2; count <= parts.length; count++) {
    const end = endOf(workspace, count)
    if (others.every(other => endOf(other, count) !== end)) return end
  }
  return `${workspace.name} (${workspace.workspaceId})`
}

function endOf(workspace: WorkspaceSummary, count: number): string {
  return partsOf(workspace).slice(-count).join('/')
}

function partsOf({ place }: WorkspaceSummary): string[] {
  return (place ?? '').split(/[\\/]/).filter(part => part !== '')
}
