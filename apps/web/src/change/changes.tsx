import { type Change, toPlaceWords, visible } from '@filewright/protocol'
import { useId } from 'react'
import { More, useMore } from '../parts/more.tsx'
import { ChangedLines, ChangedValue } from './change-sides.tsx'
import { withAccepted, withRefused } from './refused-changes.ts'

/** Of one file; the next ones on request. */
const SHOWN_CHANGES = 100

/** The changes of a review by file, each with its own yes or no. */
export function Changes({
  changes,
  refused,
  onRefused,
}: {
  changes: readonly Change[]
  refused: ReadonlySet<string>
  onRefused: (refused: ReadonlySet<string>) => void
}) {
  const tick = (chosen: readonly Change[], isAccepted: boolean) =>
    onRefused((isAccepted ? withAccepted : withRefused)(chosen, refused, changes))
  return (
    <div className="mt-4 space-y-4">
      {[...byPath(changes)].map(([path, ofFile]) => (
        <ChangedFile key={path} path={path} changes={ofFile} refused={refused} onTick={tick} />
      ))}
    </div>
  )
}

function ChangedFile({
  path,
  changes,
  refused,
  onTick,
}: {
  path: string
  changes: readonly Change[]
  refused: ReadonlySet<string>
  onTick: (chosen: readonly Change[], isAccepted: boolean) => void
}) {
  const { shown, left, showMore } = useMore(changes, SHOWN_CHANGES)
  const accepted = changes.filter(({ id }) => !refused.has(id)).length
  return (
    <section
      aria-label={visible(path)}
      className="overflow-hidden rounded-md border border-line bg-card"
    >
      <h4 className="border-b border-line px-3 py-2 font-mono text-sm font-semibold break-words">
        {visible(path)}
        <FileLabel changes={changes} />
      </h4>
      {changes.length > 1 && (
        <label className="flex gap-2 border-b border-line px-3 py-2 text-sm text-muted">
          <input
            type="checkbox"
            checked={accepted > 0}
            ref={box => {
              if (box) box.indeterminate = accepted > 0 && accepted < changes.length
            }}
            onChange={() => onTick(changes, accepted < changes.length)}
          />
          all {changes.length} changes of this file
        </label>
      )}
      {shown.map(change => (
        <ChangeRow
          key={change.id}
          change={change}
          isAccepted={!refused.has(change.id)}
          onTick={isAccepted => onTick([change], isAccepted)}
        />
      ))}
      <More left={left} of="change" onMore={showMore} />
    </section>
  )
}

/** What the model says about the file's changes as a whole. */
function FileLabel({ changes }: { changes: readonly Change[] }) {
  const { fileLabel, fileKey } = changes.find(change => change.labels)?.labels ?? {}
  return (
    <span className="ml-2 font-sans font-normal text-muted">
      {fileLabel && visible(fileLabel)} <KeyMark text={fileKey} />
    </span>
  )
}

/** A key of the model's own, next to what it names. */
export function KeyMark({ text }: { text: string | undefined }) {
  return text ? <code className="text-sm font-normal text-muted">{visible(text)}</code> : null
}

function ChangeRow({
  change,
  isAccepted,
  onTick,
}: {
  change: Change
  isAccepted: boolean
  onTick: (isAccepted: boolean) => void
}) {
  const id = useId()
  const { place, labels, description } = change
  return (
    <div className={`border-b border-line last:border-b-0 ${isAccepted ? '' : 'grayscale'}`}>
      <label htmlFor={id} className="flex flex-wrap items-baseline gap-2 px-3 py-2 text-sm">
        <input
          id={id}
          type="checkbox"
          checked={isAccepted}
          onChange={event => onTick(event.target.checked)}
        />
        <span className={isAccepted ? 'font-medium' : 'text-muted line-through'}>
          {visible(toPlaceWords(place))}
        </span>
        <ChangedValue change={change} />
        <KeyMark text={labels?.changeKey} />
        {description && <span className="text-muted">{visible(toPlaceWords(description))}</span>}
      </label>
      <ChangedLines change={change} />
    </div>
  )
}

function byPath(changes: readonly Change[]): Map<string, Change[]> {
  const files = new Map<string, Change[]>()
  for (const change of changes) {
    const ofFile = files.get(change.path)
    if (ofFile) ofFile.push(change)
    else files.set(change.path, [change])
  }
  return files
}
