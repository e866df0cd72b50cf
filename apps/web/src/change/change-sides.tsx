import { type Change, type ChangeSide, toSideTexts, visible } from '@filewright/protocol'
import { More, useMore } from '../parts/more.tsx'

/** Of one change; the next ones on request. */
const SHOWN_LINES = 200

type Line = {
  readonly number: number | undefined
  readonly text: string
  readonly isAdded: boolean
}

/** Shows lines below each other, with their numbers. */
export function ChangedLines({ change: { before, after } }: { change: Change }) {
  const { shown, left, showMore } = useMore(
    [...linesOf(before, { isAdded: false }), ...linesOf(after, { isAdded: true })],
    SHOWN_LINES,
  )
  if (shown.length === 0) return null
  return (
    <>
      <div className="pb-2 font-mono text-[0.8125rem] leading-6">
        {shown.map((line, index) => (
          <LineRow key={index} line={line} />
        ))}
      </div>
      <More left={left} of="line" onMore={showMore} />
      {left === 0 && after?.lineCount !== undefined && (
        <p className="px-3 pb-2 text-sm text-danger">
          These are the first {after.lines?.length} of {after.lineCount} lines. “filewright review”
          shows them all.
        </p>
      )}
    </>
  )
}

/** Shows values side by side. */
export function ChangedValue({ change: { before, after } }: { change: Change }) {
  if (before?.lines || after?.lines) return null
  const texts = toSideTexts(before, after)
  return (
    <>
      {texts.before !== undefined && (
        <Value
          text={texts.before}
          label="before"
          className="bg-removed text-removed-ink line-through"
        />
      )}
      {before && after && <span aria-hidden="true">→</span>}
      {texts.after !== undefined && (
        <Value text={texts.after} label="after" className="bg-added text-added-ink" />
      )}
    </>
  )
}

function linesOf(side: ChangeSide | null, { isAdded }: { isAdded: boolean }): Line[] {
  const first = side?.firstLine
  return (side?.lines ?? []).map((text, index) => ({
    number: first === undefined ? undefined : first + index,
    text,
    isAdded,
  }))
}

function LineRow({ line: { number, text, isAdded } }: { line: Line }) {
  const className = isAdded ? 'bg-added text-added-ink' : 'bg-removed text-removed-ink'
  return (
    <div className={`flex ${className}`}>
      <span className="w-14 flex-none pr-3 text-right select-none">{number}</span>
      <span className="w-5 flex-none select-none">
        <span aria-hidden="true">{isAdded ? '+' : '−'}</span>
        <span className="sr-only">{isAdded ? 'added' : 'removed'}</span>
      </span>
      <span className="min-w-0 pr-3 wrap-anywhere whitespace-pre-wrap">{visible(text)}</span>
    </div>
  )
}

function Value({ text, label, className }: { text: string; label: string; className: string }) {
  return (
    <span className={`min-w-0 rounded px-1.5 break-words ${className}`}>
      <span className="sr-only">{label} </span>
      {visible(text)}
    </span>
  )
}
