import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { fail, LIMITS, ok, type Result, serialise } from '@filewright/protocol'
import type { Bounds } from '../engine.ts'
import { cancelled } from '../failures.ts'
import { BOXED, type BoxOptions, boxCommand, probeCommand } from './box.ts'

/** Makes pages of office files, by a program that may not be there. */
export interface Office {
  /** Whether it can: the program is there, and a box for it can be closed. */
  look(): Promise<OfficeState>
  /**
   * The document as a PDF. One at a time; a document that was just converted is not converted again. Nothing in it is
   * executed, and it reaches neither the network nor a file: where that cannot be enforced, it is NO_OFFICE.
   */
  toPdf(file: OfficeFile, bounds?: Bounds): Promise<Result<Uint8Array, OfficeFailure>>
  /** Ends the conversion under way; it and every later one is CANCELLED. */
  close(): void
}

export type OfficeState = 'ready' | 'missing' | 'unboxed'

export type OfficeFailure =
  | 'NO_OFFICE'
  | 'UNREADABLE_FORMAT'
  | 'TIMEOUT'
  | 'TOO_LARGE'
  | 'LIMIT_REACHED'
  | 'CANCELLED'

export interface OfficeFile {
  /** For messages. */
  readonly path: string
  /** What kind of document it is: `.xlsx`. */
  readonly ending: string
  readonly bytes: Uint8Array
}

export interface OfficeProgram {
  /** The path of `soffice`. */
  readonly program: string
  /** Where it is installed, if that is no folder of the system: all that it may read besides those. */
  readonly folders: readonly string[]
}

export interface OfficeOptions {
  /** Where the program is; undefined: it is not there. Asked once, when it is first needed. */
  readonly find: () => OfficeProgram | undefined
  /** Of one conversion. */
  readonly timeoutMs?: number
  readonly onTrouble?: (detail: string) => void
}

/** Nothing else is in it: no key of ours, no display, no bus. */
const ENVIRONMENT = {
  PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: '/tmp/profile',
  LC_ALL: 'C.UTF-8',
}
const HELD_BYTES = 64 * 1024 * 1024 // of the last PDFs, so that the next page costs no start

export function createOffice(options: OfficeOptions): Office {
  const { find, timeoutMs = LIMITS.officeTimeoutMs, onTrouble } = options
  const oneAtATime = serialise()
  const held = createShelf(HELD_BYTES)
  const closing = new AbortController()
  let found: Promise<Found> | undefined

  function lookOnce(): Promise<Found> {
    found ??= lookFor()
    return found
  }

  async function lookFor(): Promise<Found> {
    const program = find()
    if (!program) return { state: 'missing' }
    const box = { ...program, memoryBytes: LIMITS.officeBytes, diskBytes: LIMITS.officeDiskBytes }
    if (process.platform !== 'linux') return { state: 'unboxed' }
    const within = { timeoutMs, signal: closing.signal }
    const probe = await runBoxed(probeCommand({ ...box, ...within }), NO_BYTES, within)
    return probe.isBoxed ? { state: 'ready', box } : { state: 'unboxed' }
  }

  async function convert(file: OfficeFile, bounds: Bounds) {
    const { path, ending, bytes } = file
    const looked = await lookOnce()
    if (looked.state !== 'ready') return refuse(looked.state, path)
    const key = `${createHash('sha256').update(bytes).digest('hex')}${ending}`
    const known = held.get(key)
    if (known) return ok(known)
    const signals = [closing.signal, ...(bounds.signal ? [bounds.signal] : [])]
    const within = { timeoutMs: bounds.timeoutMs ?? timeoutMs, signal: AbortSignal.any(signals) }
    const command = boxCommand({ ...looked.box, ...within, ending })
    const ran = await runBoxed(command, bytes, within)
    if (ran.cause !== undefined) return refuse(ran.cause, path, within.timeoutMs)
    if (!ran.isBoxed) return refuse('unboxed', path)
    if (ran.pages.length === 0) onTrouble?.(ran.said)
    if (ran.pages.length === 0) return refuse('undrawn', path)
    held.put(key, ran.pages)
    return ok(ran.pages)
  }

  return {
    look: async () => (await lookOnce()).state,
    toPdf: (file, bounds = {}) => oneAtATime('office', () => convert(file, bounds)),
    close: () => closing.abort(),
  }
}

const NO_BYTES = new Uint8Array(0)

type Found =
  | { readonly state: Exclude<OfficeState, 'ready'> }
  | { readonly state: 'ready'; readonly box: Omit<BoxOptions, 'ending' | 'timeoutMs'> }

type Cause = 'time' | 'size' | 'cancelled' | 'unstarted'

interface Ran {
  /** The program ran in a closed box, or nothing ran. */
  readonly isBoxed: boolean
  readonly pages: Uint8Array
  readonly said: string
  /** Why it was ended. */
  readonly cause?: Cause
}

const MOST_SAID = 4_096 // characters kept for a report

/** Ends with every process in the box gone. */
function runBoxed(
  [command = '', ...args]: readonly string[],
  bytes: Uint8Array,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<Ran> {
  return new Promise(resolve => {
    const child = spawn(command, args, { env: ENVIRONMENT, cwd: '/', detached: true })
    const pieces: Buffer[] = []
    let size = 0
    let said = ''
    let isBoxed = false
    let cause: Cause | undefined

    function stop(why: Cause): void {
      cause ??= why
      killGroup(child)
    }
    const onAbort = () => stop('cancelled')
    const timer = setTimeout(stop, timeoutMs, 'time')
    signal.addEventListener('abort', onAbort)
    if (signal.aborted) onAbort()

    function end(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      resolve({ isBoxed, pages: Buffer.concat(pieces), said, ...(cause && { cause }) })
    }
    child.on('error', error => {
      said += error.message
      if (isShortage(error)) cause ??= 'unstarted'
      end()
    })
    child.on('close', end)
    child.stdin?.on('error', () => {}) // its reader is gone, and `close` says so too
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-MOST_SAID)
      isBoxed ||= said.includes(BOXED)
    })
    child.stdout?.on('data', (piece: Buffer) => {
      pieces.push(piece)
      size += piece.length
      if (size > LIMITS.inputBytes) stop('size')
    })
    child.stdin?.end(bytes)
  })
}

function killGroup(child: ChildProcessWithoutNullStreams): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // it has just ended
  }
}

/** Of open files, processes or memory: it may be over soon. */
function isShortage(error: NodeJS.ErrnoException): boolean {
  return ['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM'].includes(error.code ?? '')
}

function refuse(
  why: Exclude<OfficeState, 'ready'> | Cause | 'undrawn',
  path: string,
  timeoutMs = 0,
): Result<never, OfficeFailure> {
  switch (why) {
    case 'missing':
      return fail(
        'NO_OFFICE',
        `Cannot make pages of "${path}": LibreOffice is not installed here. Read the file with read_file, or ask the person to install LibreOffice or to name its soffice with "filewright config set office PATH".`,
        { kind: 'unsupported' },
      )
    case 'unboxed':
      return fail(
        'NO_OFFICE',
        `Cannot make pages of "${path}": this system does not let LibreOffice be cut off from the network and from other files, which takes Linux with user namespaces. Read the file with read_file.`,
        { kind: 'unsupported' },
      )
    case 'undrawn':
      return fail(
        'UNREADABLE_FORMAT',
        `Cannot make pages of "${path}": LibreOffice does not open it, or needs more than ${LIMITS.officeBytes / 2 ** 30} GB for it. Read the file with read_file.`,
      )
    case 'time':
      return fail(
        'TIMEOUT',
        `Cannot make pages of "${path}": LibreOffice took longer than ${timeoutMs / 1000} s and was stopped. Ask for a smaller part, or read the file with read_file.`,
      )
    case 'size':
      return fail(
        'TOO_LARGE',
        `Cannot make pages of "${path}": its pages take more than ${LIMITS.inputBytes / 2 ** 20} MB. Ask for a smaller part, or read the file with read_file.`,
      )
    case 'unstarted':
      return fail(
        'LIMIT_REACHED',
        `Cannot make pages of "${path}": the system is out of processes or open files. Try again in a moment.`,
        { kind: 'unavailable' },
      )
    case 'cancelled':
      return cancelled()
  }
}

/** The last ones within the bound. */
function createShelf(mostBytes: number) {
  const byKey = new Map<string, Uint8Array>()
  let size = 0
  function take(key: string): Uint8Array | undefined {
    const bytes = byKey.get(key)
    if (bytes && byKey.delete(key)) size -= bytes.length
    return bytes
  }
  function put(key: string, bytes: Uint8Array): void {
    take(key)
    if (bytes.length > mostBytes) return
    byKey.set(key, bytes)
    size += bytes.length
    for (const [oldest] of byKey) {
      if (size <= mostBytes) return
      take(oldest)
    }
  }
  return {
    get(key: string) {
      const bytes = take(key)
      if (bytes) put(key, bytes)
      return bytes
    },
    put,
  }
}
