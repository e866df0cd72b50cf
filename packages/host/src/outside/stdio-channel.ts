import { type ChildProcess, spawn } from 'node:child_process'
import type { Writable } from 'node:stream'
import { LIMITS, visible } from '@filewright/protocol'
import { takeLines } from '../lines/bounded-lines.ts'
import type { ChannelListener, OutsideChannel } from './channel.ts'
import { readMessage } from './read-message.ts'

export interface ProgramStart {
  readonly command: string
  readonly args: readonly string[]
  /** All that the program gets of an environment. */
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
}

/**
 * Runs the program in a group of its own. The shell beside it holds a pipe of ours: when this process is gone, however it
 * ended, the pipe ends and the group is killed. A program that leaves its group lives on.
 */
const GUARD = `exec 4<&0
"$@" <&4 4<&- 3<&- &
server=$!
(read -r end <&3; kill -KILL 0) >/dev/null 2>&1 4<&- &
exec 3<&- 4<&-
wait "$server"`

const isWindows = process.platform === 'win32'

/** A server on its stdin and stdout, a message a line. */
export function openProgram({ command, args, env, cwd }: ProgramStart): OutsideChannel {
  const [file, words] = isWindows
    ? [command, args]
    : ['/bin/sh', ['-c', GUARD, 'sh', command, ...args]]
  const child = spawn(file, words, {
    cwd,
    env: { ...env },
    detached: !isWindows,
    windowsHide: true,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  })
  let listener: ChannelListener | undefined
  let said = ''
  let ended: string | undefined

  function end(why: string): void {
    if (ended !== undefined) return
    ended = why
    listener?.onEnd(why)
    kill(child)
  }

  const exited = new Promise<void>(resolve => {
    child.once('error', error => {
      end(`did not start: ${error.message}`)
      resolve()
    })
    child.once('exit', (code, signal) => {
      const last = lastLine(said)
      end(`ended with ${signal ?? `exit code ${code}`}${last ? `, and said: ${last}` : ''}`)
      resolve()
    })
  })
  const take = takeLines({
    maxBytes: LIMITS.outsideMessageBytes,
    onLine(bytes) {
      if (ended !== undefined) return
      const read = readMessage(bytes.toString('utf8'))
      if (read.excess) end(`sent a message that goes beyond all bounds: ${read.excess}`)
      else if (read.message !== undefined) listener?.onMessage(read.message, bytes.length)
      else listener?.onNoise(bytes.length + 1)
    },
    onTooLong: () => end(TOO_LONG),
  })
  let begun = 0 // bytes of a line that has no end yet, and perhaps never has one
  child.stdout?.on('data', (chunk: Buffer) => {
    const lineEnd = chunk.lastIndexOf(LF)
    begun = lineEnd < 0 ? begun + chunk.length : chunk.length - lineEnd - 1
    take(chunk)
    if (begun > LIMITS.outsideMessageBytes) end(TOO_LONG)
  })
  child.stderr?.on('data', (bytes: Buffer) => {
    said = (said + bytes.toString('utf8')).slice(-MOST_SAID)
    if (ended === undefined) listener?.onNoise(bytes.length)
  })
  for (const pipe of [child.stdin, child.stdio[3]]) (pipe as Writable | null)?.on('error', () => {}) // it is gone, and `exit` says so

  return {
    listen(given) {
      listener = given
      if (ended !== undefined) given.onEnd(ended)
    },
    send: message =>
      new Promise((resolve, reject) => {
        if (ended !== undefined || !child.stdin?.writable) return reject(new Error('it has ended'))
        // a server that reads nothing must not hold what we write, without end
        if (child.stdin.writableLength > LIMITS.outsideMessageBytes)
          return reject(new Error('it reads nothing'))
        child.stdin.write(`${JSON.stringify(message)}\n`)
        resolve()
      }),
    async close() {
      ended ??= 'was closed'
      child.stdin?.end()
      const grace = setTimeout(() => kill(child), GRACE_MS)
      await exited
      clearTimeout(grace)
      kill(child)
    },
  }
}

const LF = 10
const TOO_LONG = `sent a message of more than ${LIMITS.outsideMessageBytes / 1024 ** 2} MB`
const GRACE_MS = 500 // for a server that ends by itself when its input does
const MOST_SAID = 2_000 // characters kept of what it says about itself
const SHOWN_SAID = 300

/** The program and whatever it started, while they stay in its group. */
function kill(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    if (isWindows) child.kill()
    else process.kill(-child.pid, 'SIGKILL')
  } catch {
    // nothing of it is left
  }
}

function lastLine(said: string): string {
  const line = said.trim().split('\n').at(-1) ?? ''
  return visible(line.trim()).slice(0, SHOWN_SAID)
}
