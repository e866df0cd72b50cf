import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  currentFolder,
  Exit,
  type FolderOptions,
  type Host,
  readConfig,
  realFolder,
  sendNotesTo,
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
  const config = readConfig()
  const root = unwrapOrExit(realFolder(options.cwd ?? currentFolder()))
  const history = new HistoryFile(config.stateRoot, root)
  const open = (listener: ConsoleListener) => {
    if (options.plain ?? !config.canRedraw)
      return new PlainConsole(process.stdin, process.stdout, listener)
    const terminal = openTerminal(process.stdin, process.stdout, { isColour: config.hasColour })
    return new ScreenConsole(terminal, listener, history.entries)
  }
  return converse(host, { ...options, cwd: root }, { open, history, model: config.model })
}

interface Converse {
  readonly open: (listener: ConsoleListener) => Console
  readonly history?: Pick<HistoryFile, 'add'>
  /** The model as it is set up. */
  readonly model?: string
}

/** Until the person ends it. The prompt is there at once: what is typed before the folder is open waits for it. */
export async function converse(
  host: Pick<Host, 'inWorkspace'>,
  options: SessionOptions,
  { open, history, model }: Converse,
): Promise<void> {
  let talk: Talk | undefined
  let opened: Work | undefined
  const early: string[] = []
  let leave = () => {}
  const left = new Promise<void>(resolve => {
    leave = resolve
  })
  const console = open({
    onSubmit(text) {
      history?.add(text)
      if (talk) void take(talk, text, leave)
      else early.push(text)
    },
    onInterrupt() {
      if (talk?.isRunning) void talk.cancel()
      else if (talk) console.say('Ctrl-D ends the session.')
      else giveUp(console)
    },
    onEnd: () => (opened ? leave() : giveUp(console)),
    onEditor: text => void editElsewhere(console, text),
    complete: async before => (opened ? completionsFor(opened, before) : { word: '', found: [] }),
    onSuspend: () => void console.lend(suspended),
  })
  const stop = () => {
    leave()
    setTimeout(() => process.exit(EXIT_CODES.cancelled), GRACE_MS).unref()
  }
  for (const signal of ENDS) process.once(signal, stop)
  const sayNotesAsBefore = sendNotesTo(line => console.say(line))
  try {
    greet(console, options, model)
    console.status('Opening the folder')
    await host.inWorkspace(options, async work => {
      opened = work
      await settle(work, options, console)
      const begun = new Talk(work, console, options)
      await goOn(work, begun, options)
      talk = begun
      for (const text of early) await take(talk, text, leave)
      await left
      if (talk.isRunning) await talk.cancel()
    })
  } finally {
    for (const signal of ENDS) process.off(signal, stop)
    talk?.close()
    console.close()
    sayNotesAsBefore()
  }
}

/** Nothing has begun that could be lost. */
function giveUp(console: Console): void {
  console.close()
  process.exit(EXIT_CODES.cancelled)
}

/** What must be answered before the work begins. */
async function settle(work: Work, options: SessionOptions, console: Console): Promise<void> {
  console.status(undefined)
  const says = async (question: string) =>
    /^y(es)?$/i.test((await console.ask(`${question} y yes, n no:`))?.trim() ?? '')
  await settleScan(work, options, { says })
  await settleInstructions(work, { says })
}

async function goOn(work: Work, talk: Talk, options: SessionOptions): Promise<void> {
  const earlier = await findEarlier(work, options)
  if (earlier) await talk.goOnWith(earlier)
  else if (options.continue) talk.console.say('There is no earlier conversation in this folder.')
}

/** Somebody ends the program, or the terminal is closed: it is given back as it was. */
const ENDS = ['SIGTERM', 'SIGHUP'] as const
const GRACE_MS = 900 // whoever asks a process to end waits about a second

/** Until the shell brings the program back to the front. */
async function suspended(): Promise<void> {
  const back = new Promise<void>(resolve => process.once('SIGCONT', () => resolve()))
  const waiting = setInterval(() => {}, 60_000) // a signal alone keeps no process alive
  process.kill(0, 'SIGTSTP')
  await back
  clearInterval(waiting)
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

function greet(console: Console, options: SessionOptions, model: string | undefined): void {
  const { bold, dim } = console.colours
  const named = options.model ?? model ?? 'none is set up; the first message looks for one'
  console.say([
    `${bold('Filewright')} ${dim(version)} ${dim('in')} ${visible(options.cwd ?? '.')}`,
    dim(`Model: ${visible(named)}${options.plan ? ' · plan first' : ''}`),
    dim(
      `Type a task. @path names a file, /help helps. Files change when you ${options.toolset === 'workspace' ? 'approve' : 'publish'}.`,
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
