import { describeSpend, visible } from '@filewright/protocol'
import { memo, useEffect, useRef } from 'react'
import { sectionId } from '../parts/section.tsx'
import { CallLine } from './call-line.tsx'
import { afterScroll, type LogEnd } from './log-end.ts'
import { PlanLines } from './plan-lines.tsx'
import type { RunEntry, RunView } from './run-view.ts'

/** What a session says and does, in order; its end stays in view while it grows. */
export function RunLog({
  view,
  isConnected,
  onTakeBack,
}: {
  view: RunView
  isConnected: boolean
  onTakeBack: (messageId: string) => void
}) {
  const box = useRef<HTMLDivElement>(null)
  const end = useRef<LogEnd>({ isFollowed: true, top: 0 })
  const { entries, state, queued, isLost } = view
  const isStreaming = entries.some(entry => entry.kind === 'text' && entry.isStreaming)

  useEffect(() => {
    if (box.current && end.current.isFollowed) box.current.scrollTop = box.current.scrollHeight
  })

  return (
    <div
      ref={box}
      className="max-h-[60vh] overflow-y-auto rounded-md border border-line bg-card px-4 py-3"
      onScroll={({ currentTarget }) => {
        end.current = afterScroll(end.current, currentTarget)
      }}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls only what it can reach
      tabIndex={0}
      role="log"
      aria-label="The run"
      aria-busy={isStreaming}
    >
      <ol>
        {entries.map(entry => (
          <EntryLine key={entry.key} entry={entry} />
        ))}
      </ol>
      <Queued messages={queued} onTakeBack={onTakeBack} />
      <Progress
        state={state}
        isThinking={!isLost && !isMoving(entries)}
        isConnected={isConnected}
      />
    </div>
  )
}

/** Messages that the model has not been given yet. */
function Queued({
  messages,
  onTakeBack,
}: {
  messages: RunView['queued']
  onTakeBack: (messageId: string) => void
}) {
  return messages.map(({ messageId, text }) => (
    <p
      key={messageId}
      className="mt-3 border-l-3 border-line px-3 py-1 break-words whitespace-pre-wrap text-muted"
    >
      {text} <span className="text-sm">(the model reads it next)</span>{' '}
      <button
        type="button"
        aria-label={`Take back: ${visible(text)}`}
        className="text-sm text-accent underline"
        onClick={() => onTakeBack(messageId)}
      >
        Take back
      </button>
    </p>
  ))
}

const EntryLine = memo(({ entry }: { entry: RunEntry }) => {
  switch (entry.kind) {
    case 'person':
      return (
        <li
          dir="auto"
          className="mt-6 border-l-3 border-accent bg-paper px-3 py-2 font-medium break-words whitespace-pre-wrap first:mt-0"
        >
          <span className="sr-only">You: </span>
          {entry.text}
        </li>
      )
    case 'text':
      return (
        <li dir="auto" className="mt-3 break-words whitespace-pre-wrap">
          {entry.text.trim()}
          {entry.isStreaming && (
            <span
              aria-hidden="true"
              className="ml-1 inline-block h-[1em] w-[0.45em] animate-pulse bg-accent align-[-0.125em]"
            />
          )}
        </li>
      )
    case 'call':
      return <CallLine {...entry} />
    case 'note':
      return <li className="mt-2 pl-6 text-sm break-words text-muted">{visible(entry.text)}</li>
    case 'plan':
      return <PlanLines steps={entry.steps} />
    case 'end':
      return (
        <li className="mt-4 border-t border-line pt-3">
          {entry.message && (
            <p className="mb-1 text-sm break-words text-danger">{visible(entry.message)}</p>
          )}
          <p className="font-semibold">{entry.closing}</p>
          {entry.isDrafted && (
            <p className="text-sm text-muted">
              Nothing is published by itself: look at it under <Jump to="Drafts" />.
            </p>
          )}
          {entry.usage && <p className="text-sm text-muted">{describeSpend(entry.usage)}</p>}
        </li>
      )
  }
})

/** While nothing else moves, this does. */
function Progress({
  state,
  isThinking,
  isConnected,
}: {
  state: RunView['state']
  /** No text comes, and no tool is under way. */
  isThinking: boolean
  isConnected: boolean
}) {
  const isWaiting = isConnected && state === 'waiting'
  const words = isConnected ? 'Thinking …' : 'Not connected: trying again …'
  const isShown = !isConnected || (state === 'running' && isThinking)
  return (
    <div role="status" className="mt-3 text-sm empty:hidden">
      {isWaiting && (
        <p>
          The run waits for your answer under <Jump to="Waiting for you" />.
        </p>
      )}
      {isShown && <p className="animate-pulse text-muted">{words}</p>}
    </div>
  )
}

function Jump({ to }: { to: string }) {
  return (
    <a className="text-accent underline" href={`#${sectionId(to)}`}>
      {to}
    </a>
  )
}

function isMoving(entries: readonly RunEntry[]): boolean {
  return entries.some(
    entry =>
      (entry.kind === 'text' && entry.isStreaming) ||
      (entry.kind === 'call' && entry.state === 'running'),
  )
}
