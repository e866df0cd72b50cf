import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  Exit,
  type FolderOptions,
  type Host,
  unwrapOrExit,
  version,
  type Work,
} from '@filewright/host'
import { EXIT_CODES, visible } from '@filewright/protocol'
import { settleInstructions } from '../../input/instructions-question.ts'
import { canAsk } from '../../input/prompt.ts'
import { settleScan } from '../../input/scan-question.ts'
import type { Console, ConsoleListener } from '../../terminal/console.ts'
import { PlainConsole } from '../../terminal/plain-console.ts'
import { ScreenConsole } from '../../terminal/screen-console.ts'
import { openTerminal } from '../../terminal/terminal.ts'
import { completionsFor } from './complete.ts'
import { HistoryFile } from './history-file.ts'
import { runSlash } from './slash.ts'
import { Talk, type TalkOptions } from './talk.ts'

interface SessionOptions extends FolderOptions, TalkOptions {
  readonly continue?: boolean
  readonly session?: string
  readonly plain?: boolean
}

export function session(options: SessionOptions, host: Host): Promise<void> {
  if (!canAsk() || !process.stdout.isTTY)
    throw new Exit(
      EXIT_CODES.invalid,
      'an interactive session needs a terminal; without one, use: filewright run "TASK"',
    )
  return host.inWorkspace(options, async work => {
    await settleScan(work, options)
    await settleInstructions(work)
    const history = new HistoryFile(work.config.stateRoot, work.workspace.root)
    const isPlain = options.plain ?? !work.config.canRedraw
    await converse(
      work,
      options,
      listener => {
        if (isPlain) return new PlainConsole(process.stdin, process.stdout, listener)
        const terminal = openTerminal(process.stdin, process.stdout, {
          isColour: work.config.hasColour,
        })
        return new ScreenConsole(terminal, listener, history.entries)
      },
      history,
    )
  })
}

/** Until the person ends it. */
export async function converse(
  work: Work,
  options: SessionOptions,
  open: (listener: ConsoleListener) => Console,
  history?: Pick<HistoryFile, 'add'>,
): Promise<void> {
  let talk: Talk | undefined
  let leave: () => void
  const left = new Promise<void>(resolve => {
    leave = resolve
  })
  const console = open({
    onSubmit(text) {
      history?.add(text)
      if (talk) void take(talk, text, leave)
    },
    onInterrupt() {
      if (talk?.isRunning) void talk.cancel()
      else console.say('Ctrl-D ends the session.')
    },
    onEnd: () => leave(),
    onEditor: text => void editElsewhere(console, text),
    complete: before => completionsFor(work, before),
  })
  try {
    talk = new Talk(work, console, options)
    greet(work, talk)
    const earlier = await findEarlier(work, options)
    if (earlier) await talk.goOnWith(earlier)
    await left
    if (talk.isRunning) await talk.cancel()
  } finally {
    talk?.close()
    console.close()
  }
}

async function take(talk: Talk, text: string, leave: () => void): Promise<void> {
  try {
    if (/^\/(quit|exit|bye)$/.test(text.trim())) return leave()
    if (!(await runSlash(talk, text))) await talk.send(text)
  } catch (error) {
    talk.console.say(
      talk.console.colours.red(visible(error instanceof Error ? error.message : String(error))),
    )
  }
}

function greet({ workspace, config }: Work, { console, model, isPlanning }: Talk): void {
  const { bold, dim } = console.colours
  console.say([
    `${bold('Filewright')} ${dim(version)} ${dim('in')} ${visible(workspace.root)}`,
    dim(
      `Model: ${visible(model ?? config.model ?? 'as found; the first message says which')}${isPlanning ? ' · plan first' : ''}`,
    ),
    dim(
      'Type a task, @path for a file, /help for commands. Nothing is written before you publish it.',
    ),
  ])
}

async function findEarlier(
  { connection, params }: Work,
  { continue: isLast, session: given }: SessionOptions,
): Promise<string | undefined> {
  if (given !== undefined || !isLast) return given
  const { sessions } = unwrapOrExit(await connection.call('listSessions', { params }))
  return sessions.find(({ kind }) => kind === 'work')?.sessionId
}

/** In $EDITOR; the text comes back into the field, and is not sent. */
async function editElsewhere(console: Console, text: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'filewright-message-'))
  const file = join(folder, 'message.md')
  writeFileSync(file, text, { mode: 0o600 })
  try {
    await console.lend(
      () =>
        new Promise<void>((resolve, reject) => {
          const child = spawn('sh', ['-c', `\${VISUAL:-\${EDITOR:-vi}} "$1"`, 'sh', file], {
            stdio: 'inherit',
          })
          child.once('error', reject)
          child.once('exit', () => resolve())
        }),
    )
    console.prefill(readFileSync(file, 'utf8').replace(/\n$/, ''))
  } catch (error) {
    console.say(`The editor did not start: ${visible(String(error))}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
