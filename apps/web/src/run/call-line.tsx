import { visible } from '@filewright/protocol'
import type { RunEntry } from './run-view.ts'

type Call = Extract<RunEntry, { kind: 'call' }>

const signs = {
  running: { word: 'running', sign: <Spinner /> },
  waiting: { word: 'waits for you', sign: '?' },
  done: { word: 'done', sign: '✓' },
  failed: { word: 'failed', sign: '✕' },
}

/** One quiet line: what a tool does, and how it ended. */
export function CallLine({ label, state, message, progress }: Call) {
  const { word, sign } = signs[state]
  const isFailed = state === 'failed'
  return (
    <li className="mt-1 flex gap-2 text-sm text-muted" data-state={state}>
      <span
        aria-hidden="true"
        className={`w-4 flex-none text-center ${isFailed ? 'text-danger' : 'text-accent'}`}
      >
        {sign}
      </span>
      <span className="min-w-0 break-words">
        {visible(label)}
        <span className="sr-only">: {word}</span>
        {state === 'running' && progress && <span className="block">{visible(progress)}</span>}
        {message && <span className="block text-danger">{visible(message)}</span>}
      </span>
    </li>
  )
}

function Spinner() {
  return (
    <span className="inline-block size-3 animate-spin rounded-full border-2 border-line border-t-accent motion-reduce:animate-pulse" />
  )
}
