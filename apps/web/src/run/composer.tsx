import { describeSpend, type Toolset } from '@filewright/protocol'
import {
  type ClipboardEvent,
  type FormEvent,
  type KeyboardEvent,
  type RefObject,
  useState,
} from 'react'
import type { Api } from '../api.ts'
import { ModelPicker } from '../model/model-picker.tsx'
import { Button } from '../parts/button.tsx'
import { Completions, useCompletions } from './completions.tsx'
import type { RunView } from './run-view.ts'
import type { Asking } from './use-asking.ts'
import { useNoticeSetting } from './use-notices.ts'

const ENTER = 'filewright-enter'

/** What is being written: files are completed, and Enter sends it, unless that is turned round. */
export function Composer({
  view,
  asking,
  box,
  heading,
  api,
  workspaceId,
  onFiles,
}: {
  view: RunView
  asking: Asking
  box: RefObject<HTMLTextAreaElement | null>
  heading: string
  api: Api
  workspaceId: string
  onFiles: (files: readonly File[]) => void
}) {
  const { text, setText, ask } = asking
  const completions = useCompletions({ api, workspaceId }, text, setText, box)
  const { enterSends, turn, onKeyDown } = useEnter(completions.onKey, ask)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    ask()
  }
  const onPaste = (event: ClipboardEvent) => {
    const files = Array.from(event.clipboardData.files)
    if (files.length === 0) return
    event.preventDefault()
    onFiles(files)
  }
  return (
    <form className="relative" onSubmit={submit}>
      <Completions {...completions} />
      <textarea
        ref={box}
        aria-labelledby={heading}
        className="block field-sizing-content max-h-60 min-h-16 w-full resize-none rounded-md border border-field bg-card px-3 py-2"
        placeholder={placeholderOf(view)}
        value={text}
        onChange={event => setText(event.target.value)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      />
      <div className="mt-2 flex flex-wrap items-center gap-2">
        <ComposerButtons {...{ view, asking }} />
        <button type="button" className="text-xs text-muted hover:text-ink" onClick={turn}>
          {enterSends ? 'Enter sends' : 'Ctrl or ⌘ + Enter sends'}
        </button>
        <NoticeSetting />
        <Meter {...view} />
      </div>
      <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-muted">
        <WhereTo {...asking} />
        <ModelPicker api={api} pulse={view.pulse} model={asking.model} onModel={asking.setModel} />
      </div>
    </form>
  )
}

function ComposerButtons({
  view: { state, isStopped },
  asking: { canSend, cancel, goOn },
}: {
  view: RunView
  asking: Asking
}) {
  const isIdle = state === 'idle'
  return (
    <>
      <Button kind={canSend ? 'primary' : 'plain'} disabled={!canSend}>
        {isIdle ? 'Ask' : 'Tell it'}
      </Button>
      {!isIdle && (
        <Button kind="danger" type="button" onClick={cancel}>
          Stop
        </Button>
      )}
      {isIdle && isStopped && (
        <Button type="button" onClick={goOn}>
          Continue
        </Button>
      )}
    </>
  )
}

/** Told by the browser, for who looks elsewhere while a run goes. */
function NoticeSetting() {
  const { canTell, isOn, turn } = useNoticeSetting()
  if (!canTell) return null
  return (
    <button
      type="button"
      aria-pressed={isOn}
      className="text-xs text-muted hover:text-ink"
      onClick={turn}
    >
      {isOn ? 'Notifies you' : 'Notify me'}
    </button>
  )
}

/** Enter sends, or begins a new line: as the person likes it. */
function useEnter(onKey: (key: string) => boolean, ask: () => void) {
  const [enterSends, setEnterSends] = useState(() => localStorage.getItem(ENTER) !== 'newline')
  const turn = () => {
    localStorage.setItem(ENTER, enterSends ? 'newline' : 'sends')
    setEnterSends(!enterSends)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (onKey(event.key)) return event.preventDefault()
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    const hasModifier = event.ctrlKey || event.metaKey
    if (!hasModifier && (!enterSends || event.shiftKey)) return
    event.preventDefault()
    ask()
  }
  return { enterSends, turn, onKeyDown }
}

/** How full the model's context is, and what the run has cost so far. */
function Meter({ context: { used, size }, usage }: Pick<RunView, 'context' | 'usage'>) {
  if (used === undefined) return null
  const share = size ? Math.min(100, Math.round((used / size) * 100)) : undefined
  return (
    <span
      className="ml-auto text-xs text-muted tabular-nums"
      title={usage ? describeSpend(usage) : undefined}
    >
      {share === undefined ? `${used} tokens` : `${share} % of the context`}
      {usage?.cost !== undefined && `, $${usage.cost.toFixed(3)}`}
    </span>
  )
}

function placeholderOf({ entries, state }: RunView): string {
  if (state === 'waiting') return 'Answer what waits for you first, or stop the run'
  return entries.length === 0 ? 'Write what we sold last week to notes/summary.md' : 'Say more …'
}

function WhereTo({ toolset, setToolset }: Pick<Asking, 'toolset' | 'setToolset'>) {
  return (
    <label>
      Changes go to{' '}
      <select
        className="field-sizing-content rounded-sm border border-line bg-card px-1 py-0.5 text-ink"
        value={toolset}
        onChange={event => setToolset(event.target.value as Toolset)}
      >
        <option value="workshop">a draft</option>
        <option value="workspace">the files, asking each time</option>
      </select>
    </label>
  )
}
