import { visible } from '@filewright/protocol'
import { useEffect, useRef, useState } from 'react'
import type { RunView } from './run-view.ts'

const KEY = 'filewright-notices'

/** Whether the person wants to be told; the browser asks them once. */
export function useNoticeSetting() {
  const canTell = 'Notification' in window
  const [isOn, setOn] = useState(
    () => canTell && localStorage.getItem(KEY) === 'on' && Notification.permission === 'granted',
  )
  const turn = async () => {
    const next = !isOn && (await Notification.requestPermission()) === 'granted'
    localStorage.setItem(KEY, next ? 'on' : 'off')
    setOn(next)
  }
  return { canTell, isOn, turn }
}

/**
 * Tells a person who looks elsewhere that a run ended or waits. It hangs on the events of the session, because nothing
 * else is asked for while the tab is hidden.
 */
export function useNotices({ state, entries }: Pick<RunView, 'state' | 'entries'>): void {
  const before = useRef(state)
  useEffect(() => {
    const wasRunning = before.current === 'running'
    before.current = state
    if (!wasRunning || state === 'running' || !document.hidden) return
    if (localStorage.getItem(KEY) !== 'on' || Notification.permission !== 'granted') return
    const last = entries.at(-1)
    const [title, body] =
      state === 'waiting'
        ? ['Filewright waits for you', entries.findLast(({ kind }) => kind === 'call')]
        : ['Filewright is done', last]
    const notice = new Notification(title, { body: wordsOf(body), tag: 'filewright' })
    notice.onclick = () => {
      window.focus()
      notice.close()
    }
  }, [state, entries])
}

function wordsOf(entry: RunView['entries'][number] | undefined): string {
  if (entry?.kind === 'end') return visible(entry.closing)
  return entry?.kind === 'call' ? visible(entry.label) : ''
}
