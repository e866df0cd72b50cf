import { type Change, toPlaceWords, visible } from '@filewright/protocol'
import { memo } from 'react'
import { ChangedLines, ChangedValue, isProse } from '../change/change-sides.tsx'
import { KeyMark } from '../change/changes.tsx'
import type { ContextLines } from '../change/context-lines.ts'
import type { ChangeVerdict } from './decisions.ts'
import { VerdictButtons } from './verdict-buttons.tsx'

interface ChangeItemProps {
  readonly change: Change
  readonly context: ContextLines | undefined
  readonly verdict: ChangeVerdict
  readonly isCurrent: boolean
  readonly comment: string
  readonly onCurrent: () => void
  readonly onVerdict: (verdict: ChangeVerdict) => void
  readonly onComment: (words: string) => void
}

/** One change, what it does, and what becomes of it. */
export const ChangeItem = memo(
  (props: ChangeItemProps) => {
    const { change, context, verdict, isCurrent, comment } = props
    const { labels, description } = change
    const place = toPlaceWords(change.place)
    const beside = isProse(change)
      ? 'order-last basis-full'
      : 'order-last basis-full wide:order-none wide:flex-1 wide:basis-0'
    return (
      // biome-ignore lint/a11y/useKeyWithClickEvents: j and k do the same
      <article
        aria-label={visible(place)}
        aria-current={isCurrent || undefined}
        data-verdict={verdict}
        className={`mt-2 overflow-hidden rounded-md border bg-card ${isCurrent ? 'border-accent shadow-float' : 'border-line'}`}
        onClick={props.onCurrent}
      >
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1 px-3 py-2 text-sm">
          <span
            className={`keep-inside flex-1 ${isProse(change) ? '' : 'wide:flex-none'} ${verdict === 'refuse' ? 'text-muted line-through' : 'font-medium'}`}
          >
            {visible(place)}
          </span>
          <span className={`keep-inside flex flex-wrap items-baseline gap-x-2 ${beside}`}>
            <ChangedValue change={change} />
            <KeyMark text={labels?.changeKey} />
            {description && (
              <span className="text-muted">{visible(toPlaceWords(description))}</span>
            )}
          </span>
          <VerdictButtons verdict={verdict} about={visible(place)} onVerdict={props.onVerdict} />
        </div>
        <div className={verdict === 'refuse' ? 'opacity-60' : ''}>
          <ChangedLines change={change} context={context} />
        </div>
        {(verdict !== 'accept' || comment !== '') && (
          <input
            aria-label={`Why, for the model: ${visible(place)}`}
            className="block w-full border-t border-line bg-card px-3 py-1.5 text-sm"
            placeholder="Why? The model reads this."
            maxLength={1000}
            value={comment}
            onChange={event => props.onComment(event.target.value)}
          />
        )}
      </article>
    )
  },
  (before, after) =>
    before.change === after.change &&
    before.verdict === after.verdict &&
    before.isCurrent === after.isCurrent &&
    before.comment === after.comment &&
    before.context === after.context &&
    before.onVerdict === after.onVerdict,
)
