import { createInterface } from 'node:readline'
import { PassThrough, Writable } from 'node:stream'
import { createHost } from '@filewright/host'
import { expect, onTestFinished } from 'vitest'
import { converse } from '../../apps/cli/src/commands/session/session.ts'
import type { ConsoleListener } from '../../apps/cli/src/terminal/console.ts'
import { PlainConsole } from '../../apps/cli/src/terminal/plain-console.ts'
import { ScreenConsole } from '../../apps/cli/src/terminal/screen-console.ts'
import { openTerminal } from '../../apps/cli/src/terminal/terminal.ts'
import { TOO_SOON_MS } from '../../apps/cli/src/terminal/too-soon.ts'
import type { Sandbox } from '../cli.ts'
import { PATIENCE } from '../patience.ts'

export const ENTER = '\r'
export const CTRL_C = '\x03'
export const CTRL_D = '\x04'

export interface PersonAtTerminal {
  /** As a person types it, at once. */
  type(keys: string): void
  /** Waits until the terminal shows it once more than when it was seen last; then as long as reading it takes. */
  sees(what: string | RegExp): Promise<void>
  /** Everything that was written to the terminal, with its control sequences. */
  readonly raw: string
  /** What a person sees, scrollback included. */
  readonly said: string
  readonly isEnded: boolean
  ended(): Promise<void>
}

export interface TerminalOptions {
  readonly columns?: number
  readonly isPlain?: boolean
  readonly toolset?: 'workshop' | 'workspace'
  readonly plan?: boolean
  readonly continue?: boolean
}

/** An interactive session on fake terminal streams; the owner of the state is a process of its own. */
export async function personAt(
  box: Sandbox,
  env: Readonly<Record<string, string>>,
  { columns = 80, isPlain = false, ...options }: TerminalOptions = {},
): Promise<PersonAtTerminal> {
  await startOwner(box, env)
  setEnvironment({ ...env, FILEWRIGHT_STATE: box.state })
  const keyboard = Object.assign(new PassThrough(), { setRawMode: () => keyboard })
  let raw = ''
  const display = Object.assign(
    new Writable({
      write(chunk, _encoding, done) {
        raw += chunk
        done()
      },
    }),
    { columns, rows: 24 },
  )
  let isEnded = false
  const open = (listener: ConsoleListener) =>
    isPlain
      ? new PlainConsole(keyboard, display, listener)
      : new ScreenConsole(openTerminal(keyboard, display, { isColour: true }), listener)
  const running = converse(createHost(), { ...options, cwd: box.dir }, { open }).finally(() => {
    isEnded = true
  })
  onTestFinished(async () => {
    keyboard.end()
    await running
  })
  const counts = new Map<string, number>()
  const glimpses = async (what: string | RegExp) => {
    const pattern = new RegExp(typeof what === 'string' ? escapeText(what) : what.source, 'g')
    const wanted = (counts.get(pattern.source) ?? 0) + 1
    const found = () => [...toText(raw).matchAll(pattern)].length
    await expect
      .poll(found, { ...PATIENCE, message: `${what} in ${toText(raw)}` })
      .toBeGreaterThanOrEqual(wanted)
    counts.set(pattern.source, found())
  }
  return {
    type: keys => void keyboard.write(keys),
    async sees(what) {
      await glimpses(what)
      await new Promise(resolve => setTimeout(resolve, TOO_SOON_MS + 50))
    },
    get raw() {
      return raw
    },
    get said() {
      return toText(raw)
    },
    get isEnded() {
      return isEnded
    },
    ended: () => running,
  }
}

function escapeText(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** The lines that a terminal shows after all this, those that scrolled away included. */
function toText(raw: string): string {
  const lines: string[] = ['']
  let [line, column] = [0, 0]
  for (const [token] of raw.matchAll(TOKENS)) {
    const [, amount = '', letter] = /^\u001b\[\??([0-9;]*)([A-Za-z])$/.exec(token) ?? []
    const count = Number(amount) || 1
    if (token === '\r') column = 0
    else if (token === '\n') {
      line++
      lines[line] ??= ''
    } else if (letter === 'A') line = Math.max(0, line - count)
    else if (letter === 'B') line += count
    else if (letter === 'C') column += count
    else if (letter === 'J') {
      lines.splice(line + 1)
      lines[line] = (lines[line] ?? '').slice(0, column)
    } else if (!token.startsWith('\u001b') && token !== '\u0007') {
      const text = (lines[line] ?? '').padEnd(column)
      lines[line] = text.slice(0, column) + token + text.slice(column + token.length)
      column += token.length
    }
  }
  return lines.join('\n')
}

const TOKENS =
  /\u001b\[[0-9;?]*[A-Za-z]|\u001b\][^\u0007]*\u0007|[\r\n\u0007]|[^\u001b\r\n\u0007]+/g

async function startOwner(box: Sandbox, env: Readonly<Record<string, string>>): Promise<void> {
  const owner = box.start(['serve', '--port', '0'], { env })
  for await (const line of createInterface({ input: owner.stdout! }))
    if (line.includes('http://')) return
}

/** Until the test ends. */
function setEnvironment(values: Readonly<Record<string, string>>): void {
  const before = { ...process.env }
  Object.assign(process.env, values)
  onTestFinished(() => {
    for (const name of Object.keys(values))
      if (before[name] === undefined) delete process.env[name]
      else process.env[name] = before[name]
  })
}
