import { counted, type Failure } from '@filewright/protocol'
import { Button } from '../parts/button.tsx'
import { FailureNote } from '../parts/section.tsx'
import type { Split } from './decisions.ts'

/** Always in view: what publishing will do, and how many changes stay behind. */
export function PublishBar({
  accepted,
  refused,
  left,
  busy,
  failure,
  onPublish,
  onDiscard,
}: Split & {
  busy: boolean
  failure: Failure | undefined
  onPublish: () => void
  /** Absent: there is nothing to discard from here. */
  onDiscard?: () => void
}) {
  const files = new Set(accepted.map(({ path }) => path)).size
  const nothing = accepted.length + refused.length === 0
  return (
    <section
      aria-label="Publish"
      className="flex-none border-t border-line bg-raised px-4 pt-2 pb-3 shadow-float"
    >
      {failure && <FailureNote failure={failure} />}
      <div className="mt-1 flex flex-wrap items-center gap-x-4 gap-y-2">
        <p role="status" className="keep-inside flex-1 basis-full text-sm wide:basis-0">
          <strong className="font-medium">
            {accepted.length > 0
              ? `${counted(accepted.length, 'change')} to ${counted(files, 'file')} will be written`
              : 'Nothing will be written'}
          </strong>
          <span className="text-muted">
            {refused.length > 0 && `, ${refused.length} refused`}
            {left.length > 0 && `, ${left.length} stay in the draft`}
          </span>
        </p>
        <div className="flex gap-2">
          {onDiscard && (
            <Button kind="danger" disabled={busy} onClick={onDiscard}>
              Discard
            </Button>
          )}
          <Button kind="primary" disabled={busy || nothing} onClick={onPublish}>
            {labelOf(accepted.length, refused.length, left.length)}
          </Button>
        </div>
      </div>
    </section>
  )
}

function labelOf(accepted: number, refused: number, left: number): string {
  if (refused + left === 0) return 'Publish'
  if (accepted === 0 && refused > 0)
    return left === 0 ? `Refuse all ${refused}` : `Refuse ${refused}`
  return `Publish ${accepted} of ${accepted + refused + left}`
}
