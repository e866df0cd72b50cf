import { useState } from 'react'
import { Button } from './parts/button.tsx'
import { tokenIn } from './token.ts'

/** Without a token the server answers nothing, so this page says where to find it. */
export function Sign({ refused, onToken }: { refused: boolean; onToken: (token: string) => void }) {
  const [text, setText] = useState('')
  return (
    <main className="mx-auto mt-24 max-w-measure px-6">
      <h1 className="text-2xl font-semibold tracking-tight">Filewright</h1>
      <p className="mt-4" role={refused ? 'alert' : undefined}>
        {refused
          ? 'The server does not know this token.'
          : 'This page needs the token that the server printed when it started.'}{' '}
        Open the address from the terminal, or paste it here.
      </p>
      <form
        className="mt-6 flex gap-2"
        onSubmit={event => {
          event.preventDefault()
          if (text.trim()) onToken(tokenIn(text))
        }}
      >
        <label className="sr-only" htmlFor="token">
          Address or token
        </label>
        <input
          id="token"
          className="min-w-0 flex-1 rounded-md border border-field bg-card px-3 py-1.5 font-mono text-sm"
          placeholder="http://127.0.0.1:4680/?token=…"
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={event => setText(event.target.value)}
        />
        <Button kind="primary">Open</Button>
      </form>
    </main>
  )
}
