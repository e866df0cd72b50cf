import { visible } from '@filewright/protocol'
import { useState } from 'react'
import { CallPictures } from './call-pictures.tsx'
import type { RunEntry } from './run-view.ts'

type Call = Extract<RunEntry, { kind: 'call' }>

const signs = {
  running: { word: 'running', sign: <Spinner /> },
  waiting: { word: 'waits for you', sign: '?' },
  done: { word: 'done', sign: '✓' },
  failed: { word: 'failed', sign: '✕' },
}

/** One quiet line: what a tool does and how it ended; it opens to what the model gave and got. */
export function CallLine(call: Call) {
  const { label, state, message, progress, images = [] } = call
  const [isOpen, setOpen] = useState(false)
  const { word, sign } = signs[state]
  const isFailed = state === 'failed'
  return (
    <li className="mt-1 text-sm text-muted" data-state={state}>
      <button
        type="button"
        aria-expanded={isOpen}
        className="flex w-full gap-2 rounded-sm text-left hover:text-ink"
        onClick={() => setOpen(!isOpen)}
      >
        <span
          aria-hidden="true"
          className={`w-4 flex-none text-center ${isFailed ? 'text-danger' : 'text-accent'}`}
        >
          {sign}
        </span>
        <span className="keep-inside">
          {visible(label)}
          <span className="sr-only">: {word}</span>
          {state === 'running' && progress && <span className="block">{visible(progress)}</span>}
          {message && <span className="block">{visible(message)}</span>}
        </span>
      </button>
      {images.length > 0 && (
        <div className="ml-6">
          <CallPictures images={images} />
        </div>
      )}
      {isOpen && <CallDetails {...call} />}
    </li>
  )
}

const MOST = 20_000 // characters of one text

function CallDetails({ tool, arguments: given, result }: Call) {
  return (
    <dl className="mt-1 ml-6 space-y-1 text-xs">
      {tool && <Detail title="Tool" text={tool} />}
      {given && <Detail title="What the model asked for" text={indented(given)} />}
      {result !== undefined && <Detail title="What the model was given" text={result} />}
    </dl>
  )
}

function Detail({ title, text }: { title: string; text: string }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>
        <pre
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls only what it can reach
          tabIndex={0}
          className="keep-inside max-h-files overflow-auto rounded-sm bg-sunken p-2 font-mono whitespace-pre-wrap text-ink"
        >
          {visible(text.slice(0, MOST))}
          {text.length > MOST && ' …'}
        </pre>
      </dd>
    </div>
  )
}

function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2)
  } catch {
    return json
  }
}

function Spinner() {
  return (
    <span className="inline-block size-3 animate-spin rounded-full border-2 border-line border-t-accent motion-reduce:animate-pulse" />
  )
}
