import type { DraftSummary } from '@filewright/protocol'
import { memo, useCallback, useEffect, useRef, useState } from 'react'
import type { Api } from './api.ts'
import { Files } from './file/files.tsx'
import { type PlaceName, Places } from './place/places.tsx'
import { Ask } from './run/ask.tsx'
import type { Said, Say } from './run/said.ts'
import { useNotices } from './run/use-notices.ts'
import { type TabSession, useSession } from './run/use-session.ts'
import { keepShown, keptShown, type StageView } from './stage/shown.ts'
import { Stage } from './stage/stage.tsx'
import { usePolled } from './use-polled.ts'

/** One workspace: its files, what is looked at, and the conversation about it. */
export function WorkspacePage({
  api,
  workspaceId,
  opened,
}: {
  api: Api
  workspaceId: string
  /** A conversation that was chosen under Home. */
  opened: { readonly sessionId: string } | undefined
}) {
  const session = useSession(api, workspaceId)
  const { pulse, entries } = session.view
  const { drafts, reload } = useDrafts(api, workspaceId, pulse)
  const [place, setPlace] = useState<PlaceName>('conversation')
  const { shown, lastFile, show } = useShown(workspaceId, () => setPlace('stage'))
  const [said, setSaid] = useState<Said>()
  const [wrote, setWrote] = useState(0)
  const onSay: Say = useCallback((words, isSent = false) => {
    setSaid({ words, isSent })
    setPlace('conversation')
  }, [])
  const onChanged = useCallback(() => {
    reload()
    setWrote(times => times + 1)
  }, [reload])
  const onOpen = useCallback((path: string) => show({ kind: 'file', path }), [show])
  useReviewAtEnd(entries, shown, show)
  useNotices(session.view)
  useOpened(session, opened, setPlace)
  const part = { api, workspaceId, pulse: pulse + wrote }
  return (
    <Places place={place} onPlace={setPlace}>
      {{
        files: (
          <FilesBeside
            {...part}
            drafts={drafts}
            shown={shown.kind === 'file' ? shown.path : undefined}
            onOpen={onOpen}
          />
        ),
        stage: (
          <StageBeside {...part} {...{ shown, lastFile, drafts, onSay, onChanged }} onShow={show} />
        ),
        conversation: <Ask {...{ session, api, workspaceId, said }} onShow={show} />,
      }}
    </Places>
  )
}

// text that streams changes nothing here
const FilesBeside = memo(Files)
const StageBeside = memo(Stage)

/** The open drafts that are reviewed here; a one-call draft is reviewed as its approval. */
function useDrafts(api: Api, workspaceId: string, pulse: number) {
  const ask = useCallback(
    () => api.call('listDrafts', { params: { workspaceId }, query: { state: 'open' } }),
    [api, workspaceId],
  )
  const { value, reload } = usePolled(ask, pulse)
  const kept = useRef<readonly DraftSummary[]>([])
  const drafts = (value ?? []).filter(
    ({ purpose, files }) => purpose === 'workshop' && files.length > 0,
  )
  if (JSON.stringify(drafts) !== JSON.stringify(kept.current)) kept.current = drafts
  return { drafts: kept.current, reload }
}

function useShown(workspaceId: string, onShown: () => void) {
  const [shown, setShown] = useState(() => keptShown(workspaceId))
  const [lastFile, setLastFile] = useState(shown.kind === 'file' ? shown.path : undefined)
  const told = useRef(onShown)
  const show = useCallback(
    (next: StageView) => {
      setShown(next)
      if (next.kind === 'file') setLastFile(next.path)
      keepShown(workspaceId, next)
      told.current()
    },
    [workspaceId],
  )
  return { shown, lastFile, show }
}

function useOpened(
  session: TabSession,
  opened: { readonly sessionId: string } | undefined,
  onPlace: (place: PlaceName) => void,
): void {
  const open = useRef(session.open)
  open.current = session.open
  useEffect(() => {
    if (!opened) return
    open.current(opened.sessionId)
    onPlace('conversation')
  }, [opened, onPlace])
}

/** A run that leaves changes behind while nothing else is looked at shows them. */
function useReviewAtEnd(
  entries: readonly { readonly kind: string; readonly key: string; readonly isDrafted?: boolean }[],
  shown: StageView,
  show: (shown: StageView) => void,
): void {
  const last = entries.at(-1)
  const seen = useRef<string>(undefined)
  useEffect(() => {
    if (last?.kind !== 'end' || seen.current === last.key) return
    seen.current = last.key
    const isWide = matchMedia('(min-width: 64rem)').matches
    if (last.isDrafted && shown.kind === 'start' && isWide) show({ kind: 'changes' })
  }, [last, shown, show])
}
