import { visible, type WorkspaceSummary } from '@filewright/protocol'
import { useCallback, useEffect, useState } from 'react'
import type { Api } from './api.ts'
import { FailureNote } from './parts/section.tsx'
import { usePolled } from './use-polled.ts'
import { namesOf } from './workspace-names.ts'
import { WorkspacePage } from './workspace-page.tsx'

const KEY = 'filewright-workspace'

export function Workspaces({ api, onRefused }: { api: Api; onRefused: () => void }) {
  const ask = useCallback(() => api.call('listWorkspaces'), [api])
  const { value, failure } = usePolled(ask)
  const [chosen, setChosen] = useState(() => sessionStorage.getItem(KEY) ?? undefined)
  const workspaces = value?.workspaces ?? []
  const workspace =
    workspaces.find(({ workspaceId }) => workspaceId === chosen) ??
    workspaces.find(({ isAttached }) => isAttached) ??
    workspaces[0]
  const current = workspace?.workspaceId

  useEffect(() => {
    if (failure?.code === 'TOKEN_REFUSED') onRefused()
  }, [failure, onRefused])

  // what is shown stays, whichever other folder is opened later, and after a reload
  useEffect(() => {
    if (current === undefined) return
    sessionStorage.setItem(KEY, current)
    setChosen(current)
  }, [current])

  return (
    <>
      <header className="border-b border-line bg-card">
        <div className="mx-auto flex max-w-6xl flex-wrap items-baseline gap-x-8 gap-y-2 px-6 py-4">
          <h1 className="text-lg font-semibold tracking-tight">Filewright</h1>
          <WorkspaceNav workspaces={workspaces} current={workspace} onChoose={setChosen} />
          {workspace?.place && (
            <p className="min-w-0 text-sm break-all text-muted">{visible(workspace.place)}</p>
          )}
        </div>
      </header>
      <main className="mx-auto max-w-6xl px-6 py-8">
        {failure && (
          <div className="mb-6">
            <FailureNote failure={failure} />
          </div>
        )}
        {value && <Opened workspace={workspace} api={api} />}
      </main>
    </>
  )
}

function Opened({ workspace, api }: { workspace: WorkspaceSummary | undefined; api: Api }) {
  if (!workspace)
    return (
      <p className="text-muted">
        No workspace is open. Start the server on a folder: <code>filewright serve -C FOLDER</code>
      </p>
    )
  if (!workspace.isAttached)
    return (
      <p className="text-muted">
        Nobody has the folder {visible(workspace.name)} open now. Open it with{' '}
        <code>filewright serve -C FOLDER</code>
      </p>
    )
  return <WorkspacePage key={workspace.workspaceId} api={api} workspaceId={workspace.workspaceId} />
}

/** The open folders, and the selected one. */
function WorkspaceNav({
  workspaces,
  current,
  onChoose,
}: {
  workspaces: readonly WorkspaceSummary[]
  current: WorkspaceSummary | undefined
  onChoose: (workspaceId: string) => void
}) {
  const shown = workspaces.filter(workspace => workspace.isAttached || workspace === current)
  const names = namesOf(shown)
  return (
    <nav aria-label="Workspaces" className="flex flex-wrap gap-1">
      {shown.map(({ workspaceId, place }) => {
        const isCurrent = workspaceId === current?.workspaceId
        return (
          <button
            key={workspaceId}
            type="button"
            title={place && visible(place)}
            aria-current={isCurrent ? 'page' : undefined}
            className={`rounded-md px-2 py-0.5 text-sm ${isCurrent ? 'bg-paper font-medium' : 'text-muted hover:text-ink'}`}
            onClick={() => onChoose(workspaceId)}
          >
            {visible(names.get(workspaceId) ?? '')}
          </button>
        )
      })}
    </nav>
  )
}
