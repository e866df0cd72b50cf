import { type Failure, visible } from '@filewright/protocol'
import { type ReactNode, useId } from 'react'
import type { Polled } from '../use-polled.ts'

/** A part of the page with its three other faces: loading, failed and empty. */
export function Section<Value>({
  title,
  polled,
  empty,
  note,
  children,
}: {
  title: string
  polled: Polled<Value>
  /** The sentence for a value that holds nothing, or undefined when it holds something. */
  empty: (value: Value) => string | undefined
  /** Shown above the value, even when that is empty. */
  note?: ReactNode
  children: (value: Value) => ReactNode
}) {
  const { value, failure } = polled
  const isOwn = failure && !ofTheServer.has(failure.code)
  const heading = useId()
  const nothing = value === undefined ? undefined : empty(value)
  return (
    <section
      id={sectionId(title)}
      aria-labelledby={heading}
      aria-busy={value === undefined && !failure}
      className="mt-10 first:mt-0"
    >
      <h2 id={heading} className="text-lg font-semibold tracking-tight">
        {title}
      </h2>
      {isOwn && <FailureNote failure={failure} />}
      {note}
      {value === undefined && !failure && <p className="mt-3 text-muted">Loading …</p>}
      {nothing && <p className="mt-3 text-muted">{nothing}</p>}
      {value !== undefined && !nothing && <div className="mt-3">{children(value)}</div>}
    </section>
  )
}

/** Told once for the whole page. */
const ofTheServer = new Set(['SERVER_GONE', 'TOKEN_REFUSED'])

/** Where a link to the section leads. */
export function sectionId(title: string): string {
  return title.toLowerCase().replaceAll(' ', '-')
}

export function FailureNote({ failure }: { failure: Failure }) {
  return (
    <p
      role="alert"
      className="mt-3 rounded-md border border-line bg-removed px-3 py-2 text-sm break-words text-removed-ink"
    >
      {visible(failure.message)}
    </p>
  )
}

export function Warnings({ warnings }: { warnings: readonly string[] }) {
  if (warnings.length === 0) return null
  return (
    <ul className="mt-3 list-disc pl-5 text-sm text-danger">
      {warnings.map(warning => (
        <li key={warning}>{visible(warning)}</li>
      ))}
    </ul>
  )
}
