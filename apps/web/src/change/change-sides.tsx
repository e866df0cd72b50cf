import type { Change, ChangeSide } from '@filewright/protocol'

/** Lines stand under each other, with their numbers. */
export function ChangedLines({ change: { before, after } }: { change: Change }) {
  if (!before?.lines && !after?.lines) return null
  return (
    <div className="overflow-x-auto pb-2 font-mono text-[0.8125rem] leading-6">
      <Lines side={before} sign="−" label="removed" className="bg-removed text-removed-ink" />
      <Lines side={after} sign="+" label="added" className="bg-added text-added-ink" />
    </div>
  )
}

/** Values stand side by side. */
export function ChangedValue({ change: { before, after } }: { change: Change }) {
  if (before?.lines || after?.lines) return null
  return (
    <>
      {before && (
        <Value side={before} label="before" className="bg-removed text-removed-ink line-through" />
      )}
      {before && after && <span aria-hidden="true">→</span>}
      {after && <Value side={after} label="after" className="bg-added text-added-ink" />}
    </>
  )
}

function Lines({
  side,
  sign,
  label,
  className,
}: {
  side: ChangeSide | null
  sign: string
  label: string
  className: string
}) {
  const first = side?.firstLine
  return (side?.lines ?? []).map((line, index) => (
    <div key={index} className={`flex w-max min-w-full ${className}`}>
      <span className="w-14 flex-none pr-3 text-right opacity-60 select-none">
        {first !== undefined && first + index}
      </span>
      <span className="w-5 flex-none select-none">
        <span aria-hidden="true">{sign}</span>
        <span className="sr-only">{label}</span>
      </span>
      <span className="pr-3 whitespace-pre">{line}</span>
    </div>
  ))
}

function Value({ side, label, className }: { side: ChangeSide; label: string; className: string }) {
  return (
    <span className={`rounded px-1.5 ${className}`}>
      <span className="sr-only">{label} </span>
      {toText(side)}
    </span>
  )
}

function toText({ text, formula, value, format, path }: ChangeSide): string {
  if (formula !== undefined) return `=${formula.replace(/^=/, '')}`
  return (
    text ?? (value === undefined ? undefined : String(value ?? '')) ?? format ?? path ?? 'empty'
  )
}
