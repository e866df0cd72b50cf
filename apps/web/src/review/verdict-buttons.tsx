import type { ChangeVerdict } from './decisions.ts'

const CHOICES: readonly { verdict: ChangeVerdict; word: string; on: string }[] = [
  { verdict: 'accept', word: 'Accept', on: 'bg-added-strong text-added-ink' },
  { verdict: 'refuse', word: 'Refuse', on: 'bg-removed-strong text-removed-ink' },
  { verdict: 'leave', word: 'Leave', on: 'bg-note text-note-ink' },
]

/** One of three; several changes may disagree. */
export function VerdictButtons({
  verdict,
  about,
  onVerdict,
}: {
  verdict: ChangeVerdict | 'mixed'
  /** What is decided on, for a screen reader. */
  about: string
  onVerdict: (verdict: ChangeVerdict) => void
}) {
  return (
    <fieldset className="flex flex-none overflow-hidden rounded-md border border-line text-xs">
      <legend className="sr-only">{about}</legend>
      {CHOICES.map(({ verdict: own, word, on }) => (
        <button
          key={own}
          type="button"
          aria-pressed={verdict === own}
          aria-label={`${word}: ${about}`}
          className={`border-r border-line px-2 py-0.5 last:border-r-0 ${verdict === own ? `font-medium ${on}` : 'bg-card text-muted hover:text-ink'}`}
          onClick={() => onVerdict(own)}
        >
          {word}
        </button>
      ))}
    </fieldset>
  )
}
