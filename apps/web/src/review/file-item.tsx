import { type Change, counted, type Review, visible } from '@filewright/protocol'
import { KeyMark } from '../change/changes.tsx'
import { Button } from '../parts/button.tsx'
import type { StageView } from '../stage/shown.ts'
import { type ChangeVerdict, type Decisions, verdictOn } from './decisions.ts'
import { VerdictButtons } from './verdict-buttons.tsx'

/** What happens to a file as a whole, above its changes. */
export function FileItem({
  path,
  changes,
  decisions,
  review,
  onSettle,
  onShow,
}: {
  path: string
  changes: readonly Change[]
  decisions: Decisions
  review: Review
  onSettle: (chosen: readonly Change[], verdict: ChangeVerdict) => void
  onShow: ((shown: StageView) => void) | undefined
}) {
  const verdicts = new Set(changes.map(change => verdictOn(decisions, change)))
  const [only] = verdicts
  const file = review.draft.files.find(each => each.path === path)
  const { fileLabel, fileKey } = changes.find(change => change.labels)?.labels ?? {}
  return (
    <section
      aria-label={visible(path)}
      className="flex flex-wrap items-center gap-x-3 gap-y-1 pt-4 pb-1"
    >
      <h3 className="keep-inside flex-1 basis-full text-sm font-semibold wide:basis-0">
        <span className="font-mono">{visible(path)}</span>
        <span className="ml-2 font-normal text-muted">
          {file &&
            file.action !== 'changed' &&
            `${file.action}${file.from ? ` from ${visible(file.from)}` : ''} · `}
          {counted(changes.length, 'change')}
          {file?.drifted && ' · the file on disk has changed since'}
          {fileLabel && ` · ${visible(fileLabel)}`} <KeyMark text={fileKey} />
        </span>
      </h3>
      {onShow && file?.action !== 'deleted' && (
        <Button size="small" kind="quiet" onClick={() => onShow({ kind: 'file', path })}>
          Open
        </Button>
      )}
      {changes.length > 1 && (
        <VerdictButtons
          verdict={verdicts.size === 1 ? only! : 'mixed'}
          about={`all changes of ${visible(path)}`}
          onVerdict={verdict => onSettle(changes, verdict)}
        />
      )}
    </section>
  )
}
