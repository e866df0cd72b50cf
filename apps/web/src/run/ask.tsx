import { type ActiveFileSummary, visible } from '@filewright/protocol'
import { type DragEvent, type RefObject, useEffect, useId, useRef, useState } from 'react'
import type { Api } from '../api.ts'
import { Approvals } from '../approval/approvals.tsx'
import { droppedPaths, givenPaths, holdsFile } from '../file/dragged-file.ts'
import { Instructions } from '../file/instructions.tsx'
import { Button } from '../parts/button.tsx'
import type { PaneProps } from '../parts/pane.ts'
import { FailureNote } from '../parts/section.tsx'
import type { StageView } from '../stage/shown.ts'
import { PictureSource } from './call-pictures.tsx'
import type { CommandName } from './completion.ts'
import { Composer } from './composer.tsx'
import { RunLog } from './run-log.tsx'
import type { Said } from './said.ts'
import { SessionList } from './session-list.tsx'
import { type Asking, useAsking } from './use-asking.ts'
import type { TabSession } from './use-session.ts'

type Place = { readonly api: Api; readonly workspaceId: string }

interface AskProps extends Place {
  readonly session: TabSession
  readonly said: Said | undefined
  readonly onShow: (shown: StageView) => void
}

/** Where a person says what shall be done, and sees it happen. */
export function Ask({ session, api, workspaceId, said, onShow }: AskProps) {
  const { view } = session
  const [isLooking, setLooking] = useState(false)
  const heading = useId()
  const box = useRef<HTMLTextAreaElement>(null)
  const focus = () => box.current?.focus()
  const asking = useAsking(workspaceId, session, focus, name => {
    if (name === 'new') session.leave()
    else onShow(VIEWS[name])
    focus()
  })
  const isEmpty = view.entries.length === 0
  const pane = { api, workspaceId, pulse: view.pulse }
  useSaid(said, asking, box)
  const { drop, paste } = useGivenFiles({ api, workspaceId }, session, asking)
  const withFocus =
    <Given extends unknown[]>(act: (...given: Given) => void) =>
    (...given: Given) => {
      act(...given)
      focus()
    }

  return (
    <section
      aria-labelledby={heading}
      className="flex min-h-0 flex-1 flex-col"
      onDragOver={event => holdsFile(event.dataTransfer) && event.preventDefault()}
      onDrop={drop}
    >
      <AskHeader
        heading={heading}
        isLooking={isLooking}
        others={session.isConnected ? view.listeners - 1 : 0}
        onLook={() => setLooking(!isLooking)}
        onLeave={view.state === 'idle' && !isEmpty ? withFocus(session.leave) : undefined}
      />
      {isLooking && (
        <Earlier {...{ session, api, workspaceId }} onOpened={withFocus(() => setLooking(false))} />
      )}
      <Instructions {...pane} />
      <Notice text={asking.notice} />
      <PictureSource {...{ api, workspaceId }}>
        <Conversation
          {...{ session, asking, pane, onShow }}
          onTakeBack={withFocus(asking.takeBack)}
          onAnswered={focus}
        />
      </PictureSource>
      <div className="flex-none border-t border-line bg-card px-4 pt-2 pb-3">
        {asking.failure && <FailureNote failure={asking.failure} />}
        <ActiveFiles active={session.active} onRemove={withFocus(session.deactivate)} />
        <Composer {...{ view, asking, box, heading, api, workspaceId }} onFiles={paste} />
      </div>
    </section>
  )
}

function Earlier({
  session,
  onOpened,
  ...place
}: Place & { session: TabSession; onOpened: () => void }) {
  return (
    <SessionList
      {...place}
      current={session.sessionId}
      ask={session.earlier}
      onOpen={sessionId => {
        session.open(sessionId)
        onOpened()
      }}
      onGone={session.leave}
    />
  )
}

function useSaid(
  said: AskProps['said'],
  asking: Pick<Asking, 'say' | 'sendNow'>,
  box: RefObject<HTMLTextAreaElement | null>,
): void {
  const latest = useRef(asking)
  latest.current = asking
  useEffect(() => {
    if (!said) return
    if (said.isSent) latest.current.sendNow(said.words)
    else latest.current.say(said.words)
    box.current?.focus()
  }, [said, box])
}

function Notice({ text }: { text: string | undefined }) {
  if (text === undefined) return null
  return (
    <p role="status" className="flex-none border-b border-line px-4 py-2 text-sm text-muted">
      {text}
    </p>
  )
}

/** Where a command leads. */
const VIEWS: Readonly<Record<Exclude<CommandName, 'new'>, StageView>> = {
  review: { kind: 'changes' },
  history: { kind: 'history' },
  model: { kind: 'start' },
  stop: { kind: 'start' },
  plan: { kind: 'start' },
}

/** The conversation so far, and what waits for the person in it. */
function Conversation({
  session: { view, isConnected, sessionId },
  asking,
  pane,
  onShow,
  onTakeBack,
  onAnswered,
}: {
  session: TabSession
  asking: Asking
  pane: PaneProps
  onShow: (shown: StageView) => void
  onTakeBack: (messageId: string) => void
  onAnswered: () => void
}) {
  return (
    <RunLog
      view={view}
      isConnected={isConnected}
      onTakeBack={onTakeBack}
      onReview={() => onShow({ kind: 'changes' })}
      onEdit={view.state === 'idle' ? asking.edit : undefined}
    >
      {view.entries.length === 0 && (
        <p className="text-sm text-muted">
          Say what should be done. <kbd>@</kbd> names a file, <kbd>/</kbd> shows commands.
        </p>
      )}
      <Approvals key={sessionId} {...pane} onAnswered={onAnswered} />
    </RunLog>
  )
}

/** Files that are dropped or pasted go along with what is asked. */
function useGivenFiles(
  { api, workspaceId }: Place,
  session: TabSession,
  asking: Pick<Asking, 'settle'>,
) {
  const drop = async (event: DragEvent) => {
    if (!holdsFile(event.dataTransfer)) return
    event.preventDefault()
    const dropped = await droppedPaths(event.dataTransfer, api, workspaceId)
    asking.settle(dropped.ok ? await session.activate(dropped.value) : dropped)
  }
  const paste = async (files: readonly File[]) => {
    const given = await givenPaths(files.map(named), api, workspaceId)
    asking.settle(given.ok ? await session.activate(given.value) : given)
  }
  return { drop, paste }
}

/** A picture from the clipboard is always called the same. */
function named(file: File): File {
  if (!/^image\.\w+$/.test(file.name)) return file
  const time = new Date().toISOString().slice(0, 19).replaceAll(':', '-')
  return new File([file], `pasted ${time}.${file.name.split('.').at(-1)}`, { type: file.type })
}

function AskHeader({
  heading,
  isLooking,
  others,
  onLook,
  onLeave,
}: {
  heading: string
  isLooking: boolean
  /** Who else has this conversation open. */
  others: number
  onLook: () => void
  onLeave?: () => void
}) {
  return (
    <div className="flex flex-none flex-wrap items-center gap-x-2 border-b border-line bg-card px-4 py-1.5">
      <h2 id={heading} className="flex-1 text-sm font-semibold whitespace-nowrap">
        What should be done?
      </h2>
      <p role="status" className="order-last basis-full text-xs text-muted empty:hidden">
        {others > 0 && `Open in ${others === 1 ? 'one other place' : `${others} other places`} too`}
      </p>
      <Button
        size="small"
        kind="quiet"
        aria-expanded={isLooking}
        aria-label="Earlier conversations"
        onClick={onLook}
      >
        Earlier
      </Button>
      {onLeave && (
        <Button size="small" kind="quiet" aria-label="New conversation" onClick={onLeave}>
          New
        </Button>
      )}
    </div>
  )
}

/** Files that were dropped here, mentioned, or added elsewhere: they go along with what is asked. */
function ActiveFiles({
  active,
  onRemove,
}: {
  active: readonly ActiveFileSummary[]
  onRemove: (docPath: string) => void
}) {
  if (active.length === 0) return null
  return (
    <ul aria-label="Attached files" className="mb-2 flex flex-wrap gap-1 text-xs">
      {active.map(({ docPath, displayPath }) => (
        <li
          key={docPath}
          className="keep-inside rounded-full border border-line bg-sunken px-2 py-0.5"
        >
          {visible(displayPath)}{' '}
          <button
            type="button"
            aria-label={`Remove ${visible(displayPath)}`}
            className="px-1 text-muted hover:text-ink"
            onClick={() => onRemove(docPath)}
          >
            ×
          </button>
        </li>
      ))}
    </ul>
  )
}
