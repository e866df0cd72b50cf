import {
  type ActiveFileSummary,
  type Failure,
  type Result,
  type Toolset,
  visible,
} from '@filewright/protocol'
import { type DragEvent, type FormEvent, type RefObject, useId, useRef, useState } from 'react'
import type { Api } from '../api.ts'
import { droppedPaths, holdsFile } from '../file/dragged-file.ts'
import { Button } from '../parts/button.tsx'
import { FailureNote } from '../parts/section.tsx'
import { EarlierSessions } from './earlier-sessions.tsx'
import { RunLog } from './run-log.tsx'
import type { RunView } from './run-view.ts'
import type { TabSession } from './use-session.ts'

type Place = { readonly api: Api; readonly workspaceId: string }

/** Where a person says what shall be done, and sees it happen. */
export function Ask({ session, api, workspaceId }: { session: TabSession } & Place) {
  const { view, isConnected } = session
  const [isLooking, setLooking] = useState(false)
  const heading = useId()
  const box = useRef<HTMLTextAreaElement>(null)
  const focus = () => box.current?.focus()
  const asking = useAsking(session, focus)
  const isEmpty = view.entries.length === 0

  const drop = async (event: DragEvent) => {
    if (!holdsFile(event.dataTransfer)) return
    event.preventDefault()
    const dropped = await droppedPaths(event.dataTransfer, api, workspaceId)
    asking.settle(dropped.ok ? await session.activate(dropped.value) : dropped)
  }
  const withFocus =
    <Given extends unknown[]>(act: (...given: Given) => void) =>
    (...given: Given) => {
      act(...given)
      focus()
    }

  return (
    <section
      aria-labelledby={heading}
      onDragOver={event => holdsFile(event.dataTransfer) && event.preventDefault()}
      onDrop={drop}
    >
      <AskHeader
        heading={heading}
        isLooking={isLooking}
        onLook={() => setLooking(!isLooking)}
        onLeave={view.state === 'idle' && !isEmpty ? withFocus(session.leave) : undefined}
      />
      {isLooking && (
        <EarlierSessions
          ask={session.earlier}
          onOpen={withFocus(sessionId => {
            session.open(sessionId)
            setLooking(false)
          })}
        />
      )}
      {asking.notice && (
        <p role="status" className="mb-3 text-sm text-muted">
          {asking.notice}
        </p>
      )}
      {!isEmpty && (
        <RunLog view={view} isConnected={isConnected} onTakeBack={withFocus(asking.takeBack)} />
      )}
      {asking.failure && <FailureNote failure={asking.failure} />}
      <ActiveFiles active={session.active} onRemove={withFocus(session.deactivate)} />
      <AskForm view={view} asking={asking} box={box} heading={heading} />
    </section>
  )
}

type Asking = ReturnType<typeof useAsking>

/** What is being written, and how it went with what was sent. */
function useAsking({ view, send, stop, goOn: resume, ...session }: TabSession, focus: () => void) {
  const [text, setText] = useState('')
  const [toolset, setToolset] = useState<Toolset>('workshop')
  const [busy, setBusy] = useState(false)
  const [notice, setNotice] = useState<string>()
  const [failure, setFailure] = useState<Failure>()
  const canSend = !busy && text.trim() !== '' && view.state !== 'waiting'
  const settle = (result: Result<unknown>) => setFailure(result.ok ? undefined : result.failure)

  async function ask(): Promise<void> {
    if (!canSend) return
    setBusy(true)
    setText('') // at once: the next message may be written before this one is answered
    focus() // the button is disabled now
    const sent = await send(text.trim(), toolset)
    setBusy(false)
    settle(sent)
    if (!sent.ok) setText(since => joined(text, since))
    else if (sent.value.notice) setNotice(sent.value.notice)
  }

  async function cancel(): Promise<void> {
    focus() // the button goes with the run
    settle(await stop())
  }

  async function goOn(): Promise<void> {
    focus() // the button goes
    settle(await resume())
  }

  async function takeBack(messageId: string): Promise<void> {
    const taken = await session.takeBack(messageId)
    settle(taken)
    if (taken.ok) setText(since => joined(taken.value.text, since)) // to be said in other words
  }

  const writing = { text, setText, toolset, setToolset, canSend }
  return { ...writing, notice, failure, settle, ask, cancel, goOn, takeBack }
}

/** What came back into the field, before what was written there since: neither is lost. */
function joined(returned: string, since: string): string {
  return since.trim() === '' ? returned : `${returned}\n${since}`
}

function AskHeader({
  heading,
  isLooking,
  onLook,
  onLeave,
}: {
  heading: string
  isLooking: boolean
  onLook: () => void
  onLeave?: () => void
}) {
  return (
    <div className="mb-3 flex items-baseline justify-between gap-4">
      <h2 id={heading} className="text-lg font-semibold tracking-tight">
        What should be done?
      </h2>
      <div className="flex flex-wrap justify-end gap-x-4">
        <button
          type="button"
          aria-expanded={isLooking}
          className="text-sm text-muted hover:text-ink"
          onClick={onLook}
        >
          Earlier conversations
        </button>
        {onLeave && (
          <button type="button" className="text-sm text-muted hover:text-ink" onClick={onLeave}>
            New conversation
          </button>
        )}
      </div>
    </div>
  )
}

function AskForm({
  view,
  asking: { text, setText, toolset, setToolset, canSend, ask, cancel, goOn },
  box,
  heading,
}: {
  view: RunView
  asking: Asking
  box: RefObject<HTMLTextAreaElement | null>
  heading: string
}) {
  const isIdle = view.state === 'idle'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    ask()
  }
  return (
    <form className={view.entries.length === 0 ? undefined : 'mt-3'} onSubmit={submit}>
      <textarea
        ref={box}
        aria-labelledby={heading}
        className="block field-sizing-content max-h-60 min-h-18 w-full resize-y rounded-md border border-field bg-card px-3 py-2"
        placeholder={placeholderOf(view)}
        value={text}
        onChange={event => setText(event.target.value)}
        onKeyDown={event => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) ask()
        }}
      />
      <div className="mt-2 flex flex-wrap items-center gap-2">
        <Button kind="primary" disabled={!canSend}>
          {isIdle ? 'Ask' : 'Tell it'}
        </Button>
        {!isIdle && (
          <Button kind="danger" type="button" onClick={cancel}>
            Stop
          </Button>
        )}
        {isIdle && view.isStopped && (
          <Button type="button" onClick={goOn}>
            Continue
          </Button>
        )}
        <span className="text-sm text-muted">Ctrl or ⌘ + Enter sends</span>
        {isIdle && <WhereTo toolset={toolset} onToolset={setToolset} />}
      </div>
    </form>
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
    <ul aria-label="Attached files" className="my-3 flex flex-wrap gap-2 text-sm">
      {active.map(({ docPath, displayPath }) => (
        <li key={docPath} className="rounded-md border border-line bg-card px-2 py-1 break-all">
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

function placeholderOf({ entries, state }: RunView): string {
  if (state === 'waiting') return 'Answer what waits for you first, or stop the run'
  return entries.length === 0 ? 'Write what we sold last week to notes/summary.md' : 'Say more …'
}

function WhereTo({
  toolset,
  onToolset,
}: {
  toolset: Toolset
  onToolset: (toolset: Toolset) => void
}) {
  return (
    <label className="ml-auto text-sm text-muted">
      Changes go to{' '}
      <select
        className="field-sizing-content rounded-md border border-field bg-card px-2 py-1.5 text-ink"
        value={toolset}
        onChange={event => onToolset(event.target.value as Toolset)}
      >
        <option value="workshop">a draft</option>
        <option value="workspace">the files, asking each time</option>
      </select>
    </label>
  )
}
