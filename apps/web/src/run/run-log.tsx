import { describeSpend, visible } from '@filewright/protocol'
import { memo, type ReactNode, useEffect, useRef, useState } from 'react'
import { Markdown } from '../markdown/markdown.tsx'
import { Button } from '../parts/button.tsx'
import { toSize } from '../parts/size.ts'
import { CallLine } from './call-line.tsx'
import { afterScroll, type LogEnd } from './log-end.ts'
import { PlanLines } from './plan-lines.tsx'
import type { RunEntry, RunView, SentSoFar } from './run-view.ts'

const SHOWN = 40 // entries; as many again on request

/** What a session says and does, in order; its end stays in view while it grows. */
export function RunLog({
  view,
  isConnected,
  onTakeBack,
  onReview,
  onEdit,
  children,
}: {
  view: RunView
  isConnected: boolean
  onTakeBack: (messageId: string) => void
  onReview: () => void
  /** Goes back to before a message, to say it in other words; undefined while a run goes. */
  onEdit: ((seq: number, text: string) => void) | undefined
  /** What waits for the person: it belongs where the run is now. */
  children: ReactNode
}) {
  const box = useRef<HTMLDivElement>(null)
  const end = useRef<LogEnd>({ isFollowed: true, top: 0 })
  const { entries, state, queued, isLost } = view
  const [bound, setBound] = useState(SHOWN)
  const shown = entries.slice(-bound)
  const isStreaming = shown.some(entry => entry.kind === 'text' && entry.isStreaming)
  const last = entries.findLast(({ kind }) => kind === 'person')

  useEffect(() => {
    if (box.current && end.current.isFollowed) box.current.scrollTop = box.current.scrollHeight
  })

  return (
    <div
      ref={box}
      className="scrolls min-h-0 flex-1 px-4 py-3"
      onScroll={({ currentTarget }) => {
        end.current = afterScroll(end.current, currentTarget)
      }}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls only what it can reach
      tabIndex={0}
      role="log"
      aria-label="The run"
      aria-busy={isStreaming}
    >
      <Earlier left={entries.length - shown.length} onMore={() => setBound(bound * 2)} />
      <ol>
        {shown.map(entry => (
          <EntryLine
            key={entry.key}
            entry={entry}
            onReview={onReview}
            onEdit={entry === last ? onEdit : undefined}
          />
        ))}
      </ol>
      <Queued messages={queued} onTakeBack={onTakeBack} />
      {children}
      <Progress state={state} isThinking={!isLost && !isMoving(shown)} isConnected={isConnected} />
    </div>
  )
}

function Earlier({ left, onMore }: { left: number; onMore: () => void }) {
  if (left === 0) return null
  return (
    <Button size="small" kind="quiet" onClick={onMore}>
      Show earlier ({left} more)
    </Button>
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
      className="keep-inside mt-3 border-l-2 border-line px-3 py-1 whitespace-pre-wrap text-muted"
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

interface EntryProps {
  readonly entry: RunEntry
  readonly onReview: () => void
  readonly onEdit: ((seq: number, text: string) => void) | undefined
}

const EntryLine = memo(
  ({ entry, onReview, onEdit }: EntryProps) => {
    switch (entry.kind) {
      case 'person':
        return <PersonLine {...entry} onEdit={onEdit} />
      case 'text':
        return (
          <li className="mt-3">
            <Markdown text={entry.text.trim()} />
            {entry.isStreaming && (
              <span
                aria-hidden="true"
                className="inline-block h-4 w-2 animate-pulse bg-accent motion-reduce:animate-none align-text-bottom"
              />
            )}
          </li>
        )
      case 'call':
        return <CallLine {...entry} />
      case 'note':
        return <li className="keep-inside mt-2 pl-6 text-sm text-muted">{visible(entry.text)}</li>
      case 'plan':
        return <PlanLines steps={entry.steps} />
      case 'end':
        return <EndLine {...entry} onReview={onReview} />
    }
  },
  (before, after) =>
    before.entry === after.entry && (before.onEdit === undefined) === (after.onEdit === undefined),
)

function PersonLine({
  text,
  seq,
  onEdit,
}: Extract<RunEntry, { kind: 'person' }> & Pick<EntryProps, 'onEdit'>) {
  return (
    <li
      dir="auto"
      className="keep-inside group mt-6 ml-8 rounded-lg bg-accent-soft px-3 py-2 whitespace-pre-wrap first:mt-0"
    >
      <span className="sr-only">You: </span>
      {text}
      {onEdit && seq !== undefined && (
        <button
          type="button"
          aria-label="Edit and send again"
          className="ml-2 text-xs text-accent underline"
          onClick={() => onEdit(seq, text)}
        >
          Edit
        </button>
      )}
    </li>
  )
}

function EndLine({
  closing,
  message,
  isDrafted,
  usage,
  sent,
  onReview,
}: Extract<RunEntry, { kind: 'end' }> & Pick<EntryProps, 'onReview'>) {
  return (
    <li className="mt-4 border-t border-line pt-3">
      {message && <p className="keep-inside mb-1 text-sm text-danger">{visible(message)}</p>}
      <div className="flex flex-wrap items-center gap-2">
        <p className="keep-inside basis-full text-sm font-semibold">{closing}</p>
        {isDrafted && (
          <Button size="small" onClick={onReview}>
            Review the changes
          </Button>
        )}
      </div>
      {(usage || sent) && (
        <details className="text-sm text-muted">
          <summary>{usage ? describeSpend(usage) : 'What was sent'}</summary>
          {sent && <p className="keep-inside">{describeSent(sent)}</p>}
        </details>
      )}
    </li>
  )
}

function describeSent({ model, endpoint, requests, sizeBytes }: SentSoFar): string {
  const times = requests === 1 ? 'one request' : `${requests} requests`
  const where = endpoint === null ? 'nothing left this machine' : `sent to ${visible(endpoint)}`
  return `${visible(model)}: ${times}, ${toSize(sizeBytes)}, ${where}.`
}

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
      {isWaiting && <p>The run waits for your answer.</p>}
      {isShown && <p className="animate-pulse text-muted motion-reduce:animate-none">{words}</p>}
    </div>
  )
}

function isMoving(entries: readonly RunEntry[]): boolean {
  return entries.some(
    entry =>
      (entry.kind === 'text' && entry.isStreaming) ||
      (entry.kind === 'call' && entry.state === 'running'),
  )
}
