import type { ModelSettings } from '@filewright/protocol'
import { useCallback } from 'react'
import { ModelPart } from '../model/model-form.tsx'
import { Button } from '../parts/button.tsx'
import type { PaneProps } from '../parts/pane.ts'
import type { Say } from '../run/said.ts'
import { useAsked } from '../use-polled.ts'

const AT_ONCE = true

const IDEAS = [
  'What is in this folder? Say it in a few lines.',
  'Check the numbers in the spreadsheets for mistakes.',
  'Write a summary of the meeting notes to notes/summary.md.',
]

/** Where a person begins: what this is, what it needs, and what to try. */
export function Start({ api, pulse, onSay }: PaneProps & { onSay: Say }) {
  const ask = useCallback(() => api.call('models'), [api])
  const model = useAsked(ask, pulse)
  const { value } = model
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls only what it can reach
    <div className="scrolls min-h-0 flex-1 px-6 py-8" tabIndex={0}>
      <div className="mx-auto max-w-measure">
        <h2 className="text-2xl font-semibold tracking-tight">Ask, look, publish.</h2>
        <p className="mt-2 text-muted">
          Say what should be done. Changes go into a draft that you see here, change by change, and
          no file is written before you publish it. Everything that was written can be undone.
        </p>
        <Guide settings={value} onSay={onSay} />
        <section aria-label="Ideas" className="mt-8">
          <h3 className="font-semibold">Things to ask</h3>
          <ul className="mt-2 space-y-2">
            {IDEAS.map(idea => (
              <li key={idea}>
                <button
                  type="button"
                  className="w-full rounded-md border border-line bg-card px-3 py-2 text-left text-sm hover:border-field"
                  onClick={() => onSay(idea)}
                >
                  {idea}
                </button>
              </li>
            ))}
          </ul>
        </section>
        <section aria-label="Model" className="mt-8">
          <h3 className="font-semibold">Model</h3>
          <ModelPart api={api} asked={model} />
        </section>
      </div>
    </div>
  )
}

/** While there is no model: the demonstration, which needs no key. */
function Guide({ settings, onSay }: { settings: ModelSettings | undefined; onSay: Say }) {
  if (!settings?.current.isDemonstration) return null
  return (
    <div className="mt-6 rounded-lg border border-line bg-accent-soft p-4">
      <h3 className="font-semibold">New here? Try the demonstration.</h3>
      <p className="mt-1 text-sm">
        No model is set up, so a script plays one. It needs no key and sends nothing anywhere: it
        writes a note and a workbook into a draft, and you decide about them.
      </p>
      <div className="mt-3">
        <Button kind="primary" onClick={() => onSay('Show me what you can do', AT_ONCE)}>
          Try the demonstration
        </Button>
      </div>
    </div>
  )
}
