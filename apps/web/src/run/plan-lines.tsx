import { type PlanStep, planTitle, visible } from '@filewright/protocol'

const signs = {
  // drawn: in many fonts the sign for an empty circle is a full one
  open: {
    word: 'open',
    sign: <span className="inline-block size-2.5 rounded-full border border-field" />,
  },
  doing: { word: 'under way', sign: '▸' },
  done: { word: 'done', sign: '✓' },
  failed: { word: 'failed', sign: '✗' },
}

const looks = { open: '', doing: 'font-medium', done: 'text-muted', failed: '' }

/** The checklist of the model. */
export function PlanLines({ steps }: { steps: readonly PlanStep[] }) {
  return (
    <li className="mt-3 rounded-md border border-line px-3 py-2 text-sm">
      <p className="text-muted">{planTitle(steps)}</p>
      <ol aria-label="Plan">
        {steps.map(({ text, status, reason }, index) => (
          <li key={index} className="mt-1 flex gap-2" data-status={status}>
            <span aria-hidden="true" className="w-4 flex-none text-center text-accent">
              {signs[status].sign}
            </span>
            <span className={`min-w-0 break-words ${looks[status]}`}>
              {visible(text)}
              {reason && <span className="text-muted"> ({visible(reason)})</span>}
              <span className="sr-only">: {signs[status].word}</span>
            </span>
          </li>
        ))}
      </ol>
    </li>
  )
}
