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

const NEWS_MS = 60_000 // what is older was read from the log again

/**
 * Tells a person who looks elsewhere that a run ended or waits. It hangs on the events of the session, because nothing
 * else is asked for while the tab is hidden.
 */
export function useNotices({ stop }: Pick<RunView, 'stop'>): void {
  const told = useRef<string>(undefined)
  useEffect(() => {
    if (!stop || stop.key === told.current) return
    told.current = stop.key
    if (!document.hidden || Date.now() - Date.parse(stop.time) > NEWS_MS) return
    if (localStorage.getItem(KEY) !== 'on' || Notification.permission !== 'granted') return
    const title = stop.isWaiting ? 'Filewright waits for you' : 'Filewright is done'
    const notice = new Notification(title, { body: visible(stop.words), tag: 'filewright' })
    notice.onclick = () => {
      window.focus()
      notice.close()
    }
  }, [stop])
}
