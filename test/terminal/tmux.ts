import { execFileSync, spawnSync } from 'node:child_process'
import { expect, onTestFinished } from 'vitest'
import type { Sandbox } from '../cli.ts'
import { PATIENCE } from '../patience.ts'

export const hasTmux = isThere()
if (!hasTmux) console.warn('tmux is not installed: stories on a real terminal are not told here.')

/** A shell in a terminal of its own, with `filewright` as a command. */
export interface RealTerminal {
  /** Names of keys as tmux has them: `Enter`, `C-c`. */
  press(...keys: readonly string[]): void
  type(text: string): void
  /** All lines so far, those that scrolled away included. */
  shown(): string
  sees(what: string | RegExp): Promise<void>
  /** The process that the shell runs in front. */
  foreground(): number
}

export interface RealTerminalOptions {
  readonly columns?: number
  readonly rows?: number
  readonly env?: Readonly<Record<string, string>>
}

let opened = 0

export function realTerminal(
  box: Sandbox,
  { columns = 80, rows = 24, env = {} }: RealTerminalOptions = {},
): RealTerminal {
  const socket = `filewright-${process.pid}-${++opened}`
  const tmux = (...args: readonly string[]) =>
    execFileSync('tmux', ['-L', socket, '-f', '/dev/null', ...args], { encoding: 'utf8' })
  const shellEnv = {
    PATH: process.env.PATH ?? '',
    HOME: box.state,
    FILEWRIGHT_STATE: box.state,
    HISTFILE: '/dev/null',
    TERM: 'screen-256color',
    PS1: '$ ',
    ...env,
  }
  const given = Object.entries(shellEnv).map(([name, value]) => `${name}=${value}`)
  const size = ['-x', String(columns), '-y', String(rows)]
  const shell = ['env', '-i', ...given, 'bash', '--norc', '--noprofile', '-i']
  tmux('new-session', '-d', '-c', box.dir, ...size, ...shell)
  tmux('set-option', 'history-limit', '20000')
  onTestFinished(async () => {
    const pids = [shellPid(), ...childrenOf(shellPid())]
    tmux('kill-server')
    // what still ends would write into the folder that is removed next
    await expect.poll(() => pids.filter(isAlive), PATIENCE).toEqual([])
  })
  const shellPid = () => Number(tmux('display-message', '-p', '#{pane_pid}').trim())
  const terminal: RealTerminal = {
    press: (...keys) => void tmux('send-keys', ...keys),
    type: text => void tmux('send-keys', '-l', text),
    shown: () => tmux('capture-pane', '-p', '-J', '-S', '-'),
    async sees(what) {
      const pattern = typeof what === 'string' ? what : expect.stringMatching(what)
      await expect
        .poll(terminal.shown, PATIENCE)
        .toEqual(typeof pattern === 'string' ? expect.stringContaining(pattern) : pattern)
    },
    foreground: () => childrenOf(shellPid())[0] ?? Number.NaN,
  }
  terminal.type(`filewright() { '${process.execPath}' '${box.bin}' "$@"; }; clear`)
  terminal.press('Enter')
  return terminal
}

function childrenOf(pid: number): readonly number[] {
  const { stdout } = spawnSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
  return stdout.split('\n').filter(Boolean).map(Number)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

function isThere(): boolean {
  try {
    execFileSync('tmux', ['-V'])
    return true
  } catch {
    return false
  }
}
