import { visible } from '@filewright/protocol'
import { type RefObject, useEffect, useState } from 'react'
import type { Api } from '../api.ts'
import { COMMANDS, type Completing, complete, completingAt } from './completion.ts'

const MOST = 8

interface Choice {
  readonly word: string
  readonly help?: string
}

/** What can follow the sign at the cursor; the arrow keys choose, Enter and Tab take. */
export function useCompletions(
  { api, workspaceId }: { readonly api: Api; readonly workspaceId: string },
  text: string,
  setText: (text: string) => void,
  box: RefObject<HTMLTextAreaElement | null>,
) {
  const cursor = box.current?.selectionStart ?? text.length
  const typing = completingAt(text, Math.min(cursor, text.length))
  const [choices, setChoices] = useState<readonly Choice[]>([])
  const [at, setAt] = useState(0)
  const [dismissed, setDismissed] = useState<string>()
  const { kind, word } = typing ?? {}
  useEffect(() => {
    let isOld = false
    setAt(0)
    choicesFor(api, workspaceId, kind, word ?? '').then(found => !isOld && setChoices(found))
    return () => {
      isOld = true
    }
  }, [api, workspaceId, kind, word])
  const isShown = typing !== undefined && dismissed !== text && choices.length > 0
  const take = (choice: Choice, typed: Completing) => {
    const next = complete(text, Math.min(cursor, text.length), typed, choice.word)
    setText(next.text)
    setDismissed(next.text)
    requestAnimationFrame(() => {
      box.current?.focus()
      box.current?.setSelectionRange(next.cursor, next.cursor)
    })
  }
  const onKey = (key: string): boolean => {
    if (!isShown) return false
    if (key === 'ArrowDown') setAt((at + 1) % choices.length)
    else if (key === 'ArrowUp') setAt((at + choices.length - 1) % choices.length)
    else if (key === 'Escape') setDismissed(text)
    else if (key === 'Tab' || (key === 'Enter' && choices[at]?.word !== word))
      take(choices[at]!, typing)
    else return false
    return true
  }
  return { isShown, choices, at, onKey, onTake: (choice: Choice) => typing && take(choice, typing) }
}

async function choicesFor(
  api: Api,
  workspaceId: string,
  kind: Completing['kind'] | undefined,
  word: string,
): Promise<readonly Choice[]> {
  if (kind === undefined) return []
  if (kind === 'command')
    return COMMANDS.filter(({ name }) => name.startsWith(word)).map(({ name, help }) => ({
      word: name,
      help,
    }))
  const listed = await api.call('listFiles', {
    params: { workspaceId },
    query: { named: word || undefined, limit: MOST },
  })
  return listed.ok ? listed.value.files.map(({ path }) => ({ word: path })) : []
}

export function Completions({
  isShown,
  choices,
  at,
  onTake,
}: Omit<ReturnType<typeof useCompletions>, 'onKey'>) {
  if (!isShown) return null
  return (
    <div
      role="listbox"
      aria-label="Completions"
      className="absolute inset-x-0 bottom-full z-40 mb-1 overflow-hidden rounded-md border border-line bg-raised text-sm shadow-float"
    >
      {choices.map((choice, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
        // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus
        <div
          key={choice.word}
          role="option"
          aria-selected={index === at}
          className={`flex gap-3 px-3 py-1 ${index === at ? 'bg-accent-soft' : ''}`}
          onPointerDown={event => event.preventDefault()}
          onClick={() => onTake(choice)}
        >
          <span className="min-w-0 truncate">{visible(choice.word)}</span>
          {choice.help && <span className="text-muted">{choice.help}</span>}
        </div>
      ))}
    </div>
  )
}
