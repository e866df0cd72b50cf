import type { Failure, Result, Toolset } from '@filewright/protocol'
import { useCallback, useEffect, useState } from 'react'
import { type CommandName, parseCommand } from './completion.ts'
import type { TabSession } from './use-session.ts'

export type Asking = ReturnType<typeof useAsking>

/** What is being written, and how it went with what was sent. */
export function useAsking(
  workspaceId: string,
  { view, send, stop, goOn: resume, goBack, ...session }: TabSession,
  focus: () => void,
  onCommand: (name: CommandName) => void,
) {
  const [text, setText] = useUnsent(workspaceId)
  const [toolset, setToolset] = useState<Toolset>('workshop')
  const [model, setModel] = useState('')
  const [busy, setBusy] = useState(false)
  const [notice, setNotice] = useState<string>()
  const [failure, setFailure] = useState<Failure>()
  const canSend = !busy && text.trim() !== '' && view.state !== 'waiting'
  const settle = (result: Result<unknown>) => setFailure(result.ok ? undefined : result.failure)

  async function ask(): Promise<void> {
    if (!canSend) return
    const command = parseCommand(text)
    if (command && command.name !== 'plan') {
      setText(command.rest)
      return command.name === 'stop' ? cancel() : onCommand(command.name)
    }
    const words = command ? command.rest : text.trim()
    if (words === '') return
    setText('') // at once: the next message may be written before this one is answered
    focus() // the button is disabled now
    await submit(words, command?.name === 'plan' || undefined)
  }

  async function submit(words: string, plan?: true): Promise<void> {
    setBusy(true)
    const sent = await send(words, { toolset, ...(model && { model }), ...(plan && { plan }) })
    setBusy(false)
    settle(sent)
    if (!sent.ok) setText(since => joined(text, since))
    else if (sent.value.notice) setNotice(sent.value.notice)
  }

  /** Where nothing else is under way; else the words wait in the field. */
  async function sendNow(words: string): Promise<void> {
    if (busy || view.state !== 'idle') setText(since => joined(since, words))
    else await submit(words)
  }

  async function cancel(): Promise<void> {
    focus() // the button goes with the run
    settle(await stop())
  }

  async function goOn(): Promise<void> {
    focus() // the button goes
    settle(await resume())
  }

  async function takeBack(messageId: string): Promise<void> {
    const taken = await session.takeBack(messageId)
    settle(taken)
    if (taken.ok) setText(since => joined(taken.value.text, since)) // to be said in other words
  }

  async function edit(seq: number, said: string): Promise<void> {
    const gone = await goBack(seq)
    settle(gone)
    if (gone.ok) setText(since => joined(said, since))
    focus()
  }

  const say = useCallback((words: string) => setText(since => joined(since, words)), [setText])
  const writing = { text, setText, say, toolset, setToolset, model, setModel, canSend }
  return { ...writing, notice, failure, settle, ask, sendNow, cancel, goOn, takeBack, edit }
}

/** What is not sent yet is still there after a reload, and when the folder was closed meanwhile. */
function useUnsent(workspaceId: string) {
  const key = `filewright-unsent ${workspaceId}`
  const [text, setText] = useState(() => sessionStorage.getItem(key) ?? '')
  useEffect(() => {
    if (text === '') sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, text)
  }, [key, text])
  return [text, setText] as const
}

/** What came back into the field, before what was written there since: neither is lost. */
function joined(returned: string, since: string): string {
  if (since.trim() === '') return returned
  return returned.trim() === '' ? since : `${returned}\n${since}`
}
