import { type Failure, visible, type WorkspaceSummary } from '@filewright/protocol'
import { type FormEvent, useCallback, useState } from 'react'
import type { Api } from '../api.ts'
import { ModelForm } from '../model/model-form.tsx'
import { Button } from '../parts/button.tsx'
import { FailureNote } from '../parts/section.tsx'
import { When } from '../parts/when.tsx'
import { SessionList } from '../run/session-list.tsx'
import { listConversations } from '../run/use-session.ts'
import { useAsked } from '../use-polled.ts'
import { namesOf } from '../workspace-names.ts'
import { KeptHere, NewWorkspace } from './hosted.tsx'
import { OpenAgain } from './open-again.tsx'

/** Every workspace, a way to another one, and the model. */
export function Home({
  api,
  workspaces,
  current,
  opensFolders,
  onChoose,
  onOpen,
  onChanged,
}: {
  api: Api
  workspaces: readonly WorkspaceSummary[]
  current: WorkspaceSummary | undefined
  opensFolders: boolean
  onChoose: (workspaceId: string) => void
  /** A conversation of the workspace that is open. */
  onOpen: (workspaceId: string, sessionId: string) => void
  /** A workspace was renamed or deleted. */
  onChanged: () => void
}) {
  const names = namesOf(workspaces)
  return (
    <main className="scrolls min-h-0 flex-1 px-6 py-8">
      <div className="mx-auto max-w-measure">
        <h2 className="text-2xl font-semibold tracking-tight">Workspaces</h2>
        <ul className="mt-4 space-y-2">
          {workspaces.map(workspace => (
            <WorkspaceItem
              key={workspace.workspaceId}
              workspace={workspace}
              name={names.get(workspace.workspaceId) ?? ''}
              isCurrent={workspace === current}
              onChoose={() => onChoose(workspace.workspaceId)}
              {...{ api, opensFolders, onChanged }}
              onOpened={onChoose}
            />
          ))}
        </ul>
        {opensFolders ? (
          <OpenFolder api={api} onOpened={onChoose} />
        ) : (
          <NewWorkspace api={api} onMade={onChoose} />
        )}
        {current?.isAttached && (
          <Recent
            key={current.workspaceId}
            api={api}
            workspaceId={current.workspaceId}
            name={names.get(current.workspaceId) ?? ''}
            onOpen={onOpen}
          />
        )}
        <ModelInUse api={api} />
      </div>
    </main>
  )
}

function ModelInUse({ api }: { api: Api }) {
  const ask = useCallback(() => api.call('models'), [api])
  const { value: settings, reload } = useAsked(ask)
  return (
    <section aria-label="Model settings" className="mt-10">
      <h2 className="text-2xl font-semibold tracking-tight">Model</h2>
      {settings ? (
        <ModelForm api={api} settings={settings} onSet={reload} />
      ) : (
        <p className="mt-2 text-muted">Loading …</p>
      )}
    </section>
  )
}

function WorkspaceItem({
  api,
  workspace,
  name,
  isCurrent,
  opensFolders,
  onChoose,
  onOpened,
  onChanged,
}: {
  api: Api
  workspace: WorkspaceSummary
  name: string
  isCurrent: boolean
  opensFolders: boolean
  onChoose: () => void
  onOpened: (workspaceId: string) => void
  onChanged: () => void
}) {
  const { place, created, isAttached, isHosted } = workspace
  return (
    <li>
      <button
        type="button"
        disabled={!isAttached}
        className="w-full rounded-lg border border-line bg-card px-4 py-3 text-left hover:border-field disabled:opacity-60"
        onClick={onChoose}
      >
        <span className="flex items-baseline gap-3">
          <span className="keep-inside flex-1 font-medium">
            {visible(name)}
            {isCurrent && <span className="text-muted"> (open now)</span>}
          </span>
          <When time={created} />
        </span>
        <span className="block truncate text-sm text-muted">
          {visible(place ?? '')}
          {!isAttached && ' · not open'}
          {isHosted && 'kept on this server'}
        </span>
      </button>
      {!isAttached && opensFolders && <OpenAgain {...{ api, workspace, onOpened }} />}
      {isHosted && <KeptHere {...{ api, workspace, onChanged }} />}
    </li>
  )
}

/** What was asked for in the workspace that is open. */
function Recent({
  api,
  workspaceId,
  name,
  onOpen,
}: {
  api: Api
  workspaceId: string
  name: string
  onOpen: (workspaceId: string, sessionId: string) => void
}) {
  const ask = useCallback(() => listConversations(api, workspaceId), [api, workspaceId])
  return (
    <section aria-label="Recent conversations" className="mt-10">
      <h2 className="text-2xl font-semibold tracking-tight">Conversations</h2>
      <p className="mt-1 text-sm text-muted">In {visible(name)}, the latest first.</p>
      <div className="mt-3 overflow-hidden rounded-lg border border-line">
        <SessionList
          {...{ api, workspaceId, ask }}
          current={undefined}
          onOpen={sessionId => onOpen(workspaceId, sessionId)}
        />
      </div>
    </section>
  )
}

interface Opening {
  /** Puts files into the folder before it is shown. */
  readonly fill?: (workspaceId: string) => Promise<Failure | undefined>
}

/** By its path on this machine, or a new one for files that are dropped. */
function OpenFolder({ api, onOpened }: { api: Api; onOpened: (workspaceId: string) => void }) {
  const [path, setPath] = useState('')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  const open = async (
    given: string | undefined,
    { fill = async () => undefined }: Opening = {},
  ) => {
    setBusy(true)
    const opened = await api.call('openFolder', { body: { path: given } })
    const problem = opened.ok ? await fill(opened.value.workspaceId) : opened.failure
    setBusy(false)
    setFailure(problem)
    if (opened.ok) onOpened(opened.value.workspaceId)
  }
  const openSample = () =>
    open(undefined, {
      fill: async workspaceId => {
        const { putSample } = await import('./sample.ts')
        return putSample(api, workspaceId)
      },
    })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (path.trim()) open(path.trim())
  }
  return (
    <section aria-label="Open a folder" className="mt-4">
      <form className="flex flex-wrap gap-2" onSubmit={submit}>
        <input
          aria-label="Path of a folder on this machine"
          placeholder="/home/me/documents"
          className="min-w-40 flex-1 rounded-md border border-field bg-card px-3 py-1.5 text-sm"
          autoComplete="off"
          spellCheck={false}
          value={path}
          onChange={event => setPath(event.target.value)}
        />
        <Button disabled={busy || path.trim() === ''}>Open this folder</Button>
        <Button type="button" disabled={busy} onClick={() => open(undefined)}>
          New empty workspace
        </Button>
        <Button type="button" disabled={busy} onClick={openSample}>
          New one with sample files
        </Button>
      </form>
      {failure && <FailureNote failure={failure} />}
    </section>
  )
}
