import { type Failure, visible, type WorkspaceSummary } from '@filewright/protocol'
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import type { Api } from './api.ts'
import { Home } from './home/home.tsx'
import { OpenAgain } from './home/open-again.tsx'
import { Button } from './parts/button.tsx'
import { FailureNote } from './parts/section.tsx'
import { chooseTheme, readTheme, THEMES } from './theme.ts'
import { usePolled } from './use-polled.ts'
import { namesOf } from './workspace-names.ts'
import { WorkspacePage } from './workspace-page.tsx'

const KEY = 'filewright-workspace'

export function Workspaces({ api, onRefused }: { api: Api; onRefused: () => void }) {
  const ask = useCallback(() => api.call('listWorkspaces'), [api])
  const { value, failure, reload } = usePolled(ask)
  const [chosen, setChosen] = useState(() => sessionStorage.getItem(KEY) ?? undefined)
  const [isHome, setHome] = useState(false)
  const [opened, setOpened] = useState<{ workspaceId: string; sessionId: string }>()
  /** Opened a moment ago: it comes with the next list. */
  const wanted = useRef<string>(undefined)
  const workspaces = value?.workspaces ?? []
  const workspace = pick(workspaces, chosen)
  const current = workspace?.workspaceId

  useEffect(() => {
    if (failure?.code === 'TOKEN_REFUSED') onRefused()
  }, [failure, onRefused])

  useStaying(current, wanted, setChosen)
  useEffect(keepDropsHere, [])

  const choose = (workspaceId: string) => {
    wanted.current = workspaceId
    reload()
    setChosen(workspaceId)
    setHome(false)
  }
  const open = (workspaceId: string, sessionId: string) => {
    setOpened({ workspaceId, sessionId })
    setHome(false)
  }
  return (
    <div className="flex h-dvh flex-col">
      <TopBar
        {...{ workspaces, workspace, isHome }}
        onChoose={choose}
        onHome={() => setHome(!isHome)}
      />
      {failure && <Problem failure={failure} />}
      {isHome && value && (
        <Home
          {...{ api, workspaces }}
          opensFolders={value.opensFolders}
          onChanged={reload}
          current={workspace}
          onChoose={choose}
          onOpen={open}
        />
      )}
      {value && (
        <div className={isHome ? 'hidden' : 'flex min-h-0 flex-1 flex-col'}>
          <Opened
            {...{ workspace, api, opened }}
            opensFolders={value.opensFolders}
            onOpened={choose}
          />
        </div>
      )}
    </div>
  )
}

/** What is shown stays, whichever other folder is opened later, and after a reload. */
function useStaying(
  current: string | undefined,
  wanted: RefObject<string | undefined>,
  onStay: (workspaceId: string) => void,
): void {
  useEffect(() => {
    if (current === undefined || (wanted.current && wanted.current !== current)) return
    wanted.current = undefined
    sessionStorage.setItem(KEY, current)
    onStay(current)
  }, [current, wanted, onStay])
}

function pick(
  workspaces: readonly WorkspaceSummary[],
  chosen: string | undefined,
): WorkspaceSummary | undefined {
  return (
    workspaces.find(({ workspaceId }) => workspaceId === chosen) ??
    workspaces.find(({ isAttached }) => isAttached) ??
    workspaces[0]
  )
}

function Problem({ failure }: { failure: Failure }) {
  return (
    <div className="flex-none px-4 pb-3">
      <FailureNote failure={failure} />
    </div>
  )
}

/** A file that is dropped beside a place that takes it would be opened by the browser instead of this page. */
function keepDropsHere(): () => void {
  const refuse = (event: DragEvent) => {
    if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'none'
  }
  window.addEventListener('dragover', refuse)
  window.addEventListener('drop', refuse)
  return () => {
    window.removeEventListener('dragover', refuse)
    window.removeEventListener('drop', refuse)
  }
}

function TopBar({
  workspaces,
  workspace,
  isHome,
  onChoose,
  onHome,
}: {
  workspaces: readonly WorkspaceSummary[]
  workspace: WorkspaceSummary | undefined
  isHome: boolean
  onChoose: (workspaceId: string) => void
  onHome: () => void
}) {
  return (
    <header className="flex flex-none flex-wrap items-center gap-x-4 gap-y-1 border-b border-line bg-card px-4 py-2">
      <h1 className="text-base font-semibold tracking-tight">
        <button type="button" aria-label="Filewright: home" onClick={onHome}>
          Filewright
        </button>
      </h1>
      <WorkspaceNav workspaces={workspaces} current={workspace} onChoose={onChoose} />
      {workspace?.place && (
        <p className="hidden min-w-0 flex-1 truncate text-xs text-muted wide:block">
          {visible(workspace.place)}
        </p>
      )}
      <div className="ml-auto flex gap-1">
        <ThemeButton />
        <Button size="small" kind="quiet" aria-pressed={isHome} onClick={onHome}>
          Home
        </Button>
      </div>
    </header>
  )
}

const WORDS = { system: 'Auto', light: 'Light', dark: 'Dark' }

function ThemeButton() {
  const [theme, setTheme] = useState(readTheme)
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length]!
  const words = `${WORDS[theme]}: the colours of the page. Change to ${WORDS[next]}`
  return (
    <Button
      size="small"
      kind="quiet"
      aria-label={words}
      title={words}
      onClick={() => {
        chooseTheme(next)
        setTheme(next)
      }}
    >
      {WORDS[theme]}
    </Button>
  )
}

function Opened({
  workspace,
  api,
  opened,
  opensFolders,
  onOpened,
}: {
  workspace: WorkspaceSummary | undefined
  opensFolders: boolean
  onOpened: (workspaceId: string) => void
  api: Api
  opened: { readonly workspaceId: string; readonly sessionId: string } | undefined
}) {
  if (!workspace && !opensFolders)
    return <p className="p-6 text-muted">No workspace yet. Make one under Home.</p>
  if (!workspace)
    return (
      <p className="p-6 text-muted">
        No workspace is open. Open a folder under Home, or start the server on one:{' '}
        <code>filewright serve -C FOLDER</code>
      </p>
    )
  if (!workspace.isAttached)
    return (
      <div className="p-6">
        <p className="text-muted">
          The folder {visible(workspace.name)} is not open now.{' '}
          <code>filewright serve -C FOLDER</code> opens it with the server.
        </p>
        {opensFolders && <OpenAgain {...{ api, workspace, onOpened }} />}
      </div>
    )
  const { workspaceId } = workspace
  const own = opened?.workspaceId === workspaceId ? opened : undefined
  return <WorkspacePage key={workspaceId} {...{ api, workspaceId }} opened={own} />
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
    <nav aria-label="Workspaces" className="flex min-w-0 flex-wrap gap-1">
      {shown.map(({ workspaceId, place }) => {
        const isCurrent = workspaceId === current?.workspaceId
        return (
          <button
            key={workspaceId}
            type="button"
            title={place && visible(place)}
            aria-current={isCurrent ? 'page' : undefined}
            className={`keep-inside rounded-md px-2 py-0.5 text-sm ${isCurrent ? 'bg-sunken font-medium' : 'text-muted hover:text-ink'}`}
            onClick={() => onChoose(workspaceId)}
          >
            {visible(names.get(workspaceId) ?? '')}
          </button>
        )
      })}
    </nav>
  )
}
