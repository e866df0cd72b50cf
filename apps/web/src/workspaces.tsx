import { useEffect, useState } from 'react'
import type { Api, WorkspaceSummary } from './api.ts'
import { FailureNote } from './parts/section.tsx'
import { usePolled } from './use-polled.ts'
import { WorkspacePage } from './workspace-page.tsx'

export function Workspaces({ api, onRefused }: { api: Api; onRefused: () => void }) {
  const { value, failure } = usePolled(api.workspaces)
  const [chosen, setChosen] = useState<string>()
  const workspaces = value?.workspaces ?? []
  const workspace =
    workspaces.find(({ workspaceId }) => workspaceId === chosen) ??
    workspaces.find(({ isAttached }) => isAttached) ??
    workspaces[0]

  useEffect(() => {
    if (failure?.code === 'TOKEN_REFUSED') onRefused()
  }, [failure, onRefused])

  return (
    <>
      <header className="border-b border-line bg-card">
        <div className="mx-auto flex max-w-6xl flex-wrap items-baseline gap-x-8 gap-y-2 px-6 py-4">
          <h1 className="text-lg font-semibold tracking-tight">Filewright</h1>
          <WorkspaceNav workspaces={workspaces} current={workspace} onChoose={setChosen} />
        </div>
      </header>
      <main className="mx-auto max-w-6xl px-6 py-8">
        {failure && <FailureNote failure={failure} />}
        {value && !workspace && (
          <p className="text-muted">
            No workspace is open. Start the server on a folder:{' '}
            <code>filewright serve -C FOLDER</code>
          </p>
        )}
        {workspace && !workspace.isAttached && (
          <p className="text-muted">
            Nobody has the folder {workspace.name} open now. Open it with{' '}
            <code>filewright serve -C FOLDER</code>
          </p>
        )}
        {workspace?.isAttached && (
          <WorkspacePage
            key={workspace.workspaceId}
            api={api}
            workspaceId={workspace.workspaceId}
          />
        )}
      </main>
    </>
  )
}

function WorkspaceNav({
  workspaces,
  current,
  onChoose,
}: {
  workspaces: WorkspaceSummary[]
  current: WorkspaceSummary | undefined
  onChoose: (workspaceId: string) => void
}) {
  return (
    <nav aria-label="Workspaces" className="flex flex-wrap gap-1">
      {workspaces.map(({ workspaceId, name, place }) => {
        const isAlone = workspaces.filter(other => other.name === name).length === 1
        const isCurrent = workspaceId === current?.workspaceId
        return (
          <button
            key={workspaceId}
            type="button"
            aria-current={isCurrent ? 'page' : undefined}
            className={`rounded-md px-2 py-0.5 text-sm ${isCurrent ? 'bg-paper font-medium' : 'text-muted hover:text-ink'}`}
            title={place}
            onClick={() => onChoose(workspaceId)}
          >
            {isAlone || place === undefined ? name : place}
          </button>
        )
      })}
    </nav>
  )
}
