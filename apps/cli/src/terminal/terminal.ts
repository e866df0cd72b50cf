import { type Colours, createColours } from './colours.ts'
import { type Key, KeyReader } from './keys.ts'
import type { Surface } from './screen.ts'

/** A terminal with a person in front of it. */
export interface Terminal extends Surface {
  readonly colours: Colours
  onKey(listener: (key: Key) => void): void
  onResize(listener: () => void): void
  /** The terminal is gone: nobody can press a key any more. */
  onGone(listener: () => void): void
  /** Another program has the terminal while it runs, an editor for instance. */
  lend<Value>(run: () => Promise<Value>): Promise<Value>
  /** As it was before. */
  close(): void
}

export type Keyboard = NodeJS.ReadableStream & {
  setRawMode?(isRaw: boolean): unknown
  ref?(): unknown
  unref?(): unknown
}
export type Display = NodeJS.WritableStream & { readonly columns?: number; readonly rows?: number }

const PASTE_ON = '\x1b[?2004h'
const PASTE_OFF = '\x1b[?2004l'
const SHOW_CURSOR = '\x1b[?25h'
const ESCAPE_MS = 50 // an Escape that nothing follows in this time is the key itself

/** Takes the terminal over; whatever ends the process gives it back. */
export function openTerminal(
  keyboard: Keyboard,
  display: Display,
  { isColour }: { readonly isColour: boolean },
): Terminal {
  const reader = new KeyReader()
  const listeners: ((key: Key) => void)[] = []
  let pending: NodeJS.Timeout | undefined
  let isOpen = false

  const give = (keys: readonly Key[]) => {
    for (const key of keys) for (const listener of listeners) listener(key)
  }
  const read = (data: Buffer | string) => {
    clearTimeout(pending)
    give(reader.take(data.toString()))
    pending = setTimeout(() => give(reader.flush()), ESCAPE_MS)
    pending.unref()
  }
  const take = () => {
    isOpen = true
    keyboard.setRawMode?.(true)
    keyboard.on('data', read)
    keyboard.resume()
    display.write(PASTE_ON)
  }
  const giveBack = () => {
    if (!isOpen) return
    isOpen = false
    clearTimeout(pending)
    keyboard.off('data', read)
    keyboard.setRawMode?.(false)
    keyboard.pause()
    display.write(`${PASTE_OFF}${SHOW_CURSOR}`)
  }
  process.on('exit', giveBack)
  take()
  return {
    get columns() {
      return Math.max(20, display.columns ?? 80)
    },
    get rows() {
      return Math.max(4, display.rows ?? 24)
    },
    colours: createColours({ isOn: isColour }),
    write: text => void display.write(text),
    onKey: listener => void listeners.push(listener),
    onResize: listener => void display.on('resize', listener),
    onGone(listener) {
      keyboard.once('end', listener)
      keyboard.once('close', listener)
    },
    async lend(run) {
      giveBack()
      try {
        return await run()
      } finally {
        take()
      }
    },
    close() {
      giveBack()
      process.off('exit', giveBack)
    },
  }
}
