import type { Change } from '@filewright/protocol'
import { useId } from 'react'
import { ChangedLines, ChangedValue } from './change-sides.tsx'
import { toggled } from './refused-changes.ts'

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
  return (
    <div className="mt-4 space-y-4">
      {[...byPath(changes)].map(([path, ofFile]) => (
        <section
          key={path}
          aria-label={path}
          className="overflow-hidden rounded-md border border-line bg-card"
        >
          <h4 className="border-b border-line px-3 py-2 font-mono text-sm font-semibold">
            {path}
            <FileLabel changes={ofFile} />
          </h4>
          {ofFile.map(change => (
            <ChangeRow
              key={change.id}
              change={change}
              accepted={!refused.has(change.id)}
              onToggle={() => onRefused(toggled(change, refused, changes))}
            />
          ))}
        </section>
      ))}
    </div>
  )
}

/** What the model says about the file's changes as a whole. */
function FileLabel({ changes }: { changes: readonly Change[] }) {
  const label = changes.find(change => change.labels?.fileLabel)?.labels?.fileLabel
  return label ? <span className="ml-2 font-sans font-normal text-muted">{label}</span> : null
}

function ChangeRow({
  change,
  accepted,
  onToggle,
}: {
  change: Change
  accepted: boolean
  onToggle: () => void
}) {
  const id = useId()
  return (
    <div className={`border-b border-line last:border-b-0 ${accepted ? '' : 'opacity-50'}`}>
      <label htmlFor={id} className="flex flex-wrap items-baseline gap-2 px-3 py-2 text-sm">
        <input id={id} type="checkbox" checked={accepted} onChange={onToggle} />
        <span className="font-medium">{change.place}</span>
        <ChangedValue change={change} />
        {change.labels?.changeKey && <code className="text-muted">{change.labels.changeKey}</code>}
        {change.description && <span className="text-muted">{change.description}</span>}
      </label>
      <ChangedLines change={change} />
    </div>
  )
}

function byPath(changes: readonly Change[]): Map<string, Change[]> {
  const files = new Map<string, Change[]>()
  for (const change of changes) files.set(change.path, [...(files.get(change.path) ?? []), change])
  return files
}
