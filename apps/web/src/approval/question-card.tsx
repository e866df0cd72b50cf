import { type OpenQuestion, visible } from '@filewright/protocol'
import { useState } from 'react'
import { Button } from '../parts/button.tsx'
import { When } from '../parts/when.tsx'

/** A model asks: a click answers, and so do a number or other words. The advised choice comes first. */
export function QuestionCard({
  question: { question, choices, time },
  onAnswer,
}: {
  question: OpenQuestion
  onAnswer: (answer: string) => Promise<void>
}) {
  const [words, setWords] = useState('')
  const [busy, setBusy] = useState(false)
  const answer = async (given: string) => {
    setBusy(true)
    await onAnswer(given)
    setBusy(false)
  }
  return (
    <article
      aria-label={visible(question)}
      className="mt-3 rounded-lg border border-accent bg-raised p-3 shadow-float"
    >
      <div className="flex items-baseline justify-between gap-4">
        <h3 className="min-w-0 font-medium break-words">{visible(question)}</h3>
        <When time={time} />
      </div>
      <div className="mt-4 flex flex-wrap gap-2">
        {choices.map((choice, index) => (
          <Button
            key={choice}
            kind={index === 0 ? 'primary' : 'plain'}
            wraps
            disabled={busy}
            onClick={() => answer(choice)}
          >
            {index + 1}. {visible(choice)}
          </Button>
        ))}
      </div>
      <form
        className="mt-2 flex gap-2"
        onSubmit={event => {
          event.preventDefault()
          if (words.trim()) answer(words)
        }}
      >
        <input
          aria-label="Another answer"
          className="min-w-40 flex-1 rounded-md border border-field bg-card px-3 py-1.5 text-sm"
          placeholder="Or a number, or your own words"
          maxLength={10000}
          value={words}
          onChange={event => setWords(event.target.value)}
        />
        <Button kind="plain" disabled={busy || words.trim() === ''}>
          Answer
        </Button>
      </form>
    </article>
  )
}
