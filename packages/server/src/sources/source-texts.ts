import { type FormatId, LINE_TEXT } from '@filewright/documents'
import {
  decodeText,
  isBinary,
  isLightText,
  isPlainText,
  notText,
  type TextDocument,
  type TextTaskInput,
  type TextTaskName,
  type TextTaskResult,
  textTasks,
} from '@filewright/documents/text'
import {
  type AnyBytes,
  fail,
  headOf,
  LIMITS,
  type Result,
  type Sha256,
  sizeOf,
} from '@filewright/protocol'
import type { TextVersion, TextWork } from '@filewright/tools'
import { createByteCache } from '../store/byte-cache.ts'

/** Of the work that an edit of the same size is. */
const READING_SHARE = 1 / 4
const PLAIN_READING_SHARE = 1 / 32
const HELD_BYTES = 16 * 1024 * 1024

export interface SourceTexts extends TextWork {
  /** Undefined unless the text is held. */
  bytesOf(sha256: Sha256): Uint8Array | undefined
  /** For one call that is given up at `until` (ms of `performance`): nothing is begun for it afterwards. */
  within(until: number): TextWork
}

/** When a call that begins now is given up. */
export function timeFromNow(): number {
  return performance.now() + LIMITS.toolTimeoutMs
}

/** Where work on long texts is done: a process that can be stopped. The host has one. */
export interface TextEngine {
  task(
    request: {
      readonly format: FormatId
      readonly task: TextTaskName
      readonly path: string
      readonly what: string
      readonly input: object
      readonly files: readonly AnyBytes[]
    },
    bounds: { readonly timeoutMs: number },
  ): Promise<Result<unknown>>
}

/**
 * The small files read last stay decoded, with their lines counted: the next page of one, or a patch of what was just
 * read, then costs only the reading and the hash. Long ones go to the engine; without one they are worked on here.
 */
export function createSourceTexts(engine?: TextEngine): SourceTexts {
  const held = createByteCache<TextDocument>(HELD_BYTES, text => text.sizeBytes)

  function textOf(sha256: Sha256, bytes: Uint8Array): TextDocument | undefined {
    const known = held.get(sha256)
    if (known || isBinary(bytes)) return known
    const text = decodeText(bytes)
    held.add(sha256, text)
    return text
  }

  function runHere(task: TextTaskName, input: object, docs: readonly (TextDocument | undefined)[]) {
    if (docs.includes(undefined)) return notText()
    return textTasks[task](input as never, docs as TextDocument[])
  }

  function shareOf(task: TextTaskName, files: readonly TextVersion[]): number {
    if (task !== 'read') return 1
    const arePlain = files.every(
      ({ sha256, bytes }) =>
        held.get(sha256) || (bytes instanceof Uint8Array && isPlainText(bytes)),
    )
    return arePlain ? PLAIN_READING_SHARE : READING_SHARE
  }

  let last: Promise<unknown> = Promise.resolve()

  /** One long text at a time leaves the engine free for others. Whose call has run out of time by then is not begun. */
  function inTurn(
    until: number,
    work: (timeoutMs: number) => Promise<Result<unknown>>,
  ): Promise<Result<unknown>> {
    const running = last.then(() => {
      const left = Math.ceil(until - performance.now())
      return left > 0 ? work(left) : outOfTime()
    })
    last = running.catch(() => {})
    return running
  }

  async function run(
    task: TextTaskName,
    input: object,
    files: readonly TextVersion[],
    until: number,
  ): Promise<Result<unknown>> {
    const sizeBytes = files.reduce((sum, { bytes }) => sum + sizeOf(bytes), 0)
    const areAtHand = files.every(({ bytes }) => bytes instanceof Uint8Array)
    const work = { sizeBytes: sizeBytes * shareOf(task, files), log: [asOperation(input)] }
    if (areAtHand && isLightText(work))
      return runHere(
        task,
        input,
        files.map(({ sha256, bytes }) => textOf(sha256, bytes as Uint8Array)),
      )
    const large = files.find(({ bytes }) => sizeOf(bytes) > LIMITS.textBytes)
    if (large) return tooLarge(large)
    if (engine) {
      const { path } = files[0]!
      const bytes = files.map(file => file.bytes)
      const request = { format: LINE_TEXT, task, path, what: WHAT[task], input, files: bytes }
      return inTurn(until, timeoutMs => engine.task(request, { timeoutMs }))
    }
    const whole = await Promise.all(files.map(({ bytes }) => headOf(bytes, sizeOf(bytes))))
    return runHere(
      task,
      input,
      whole.map(bytes => (isBinary(bytes) ? undefined : decodeText(bytes))),
    )
  }

  return {
    run: <Name extends TextTaskName>(
      task: Name,
      input: TextTaskInput<Name>,
      files: readonly TextVersion[],
    ) => run(task, input, files, timeFromNow()) as Promise<TextTaskResult<Name>>,
    within: until => ({
      run: <Name extends TextTaskName>(
        task: Name,
        input: TextTaskInput<Name>,
        files: readonly TextVersion[],
      ) => run(task, input, files, until) as Promise<TextTaskResult<Name>>,
    }),
    bytesOf: sha256 => held.get(sha256)?.bytes,
  }
}

/** For the sentence that says what could not be done. */
const WHAT: Readonly<Record<TextTaskName, string>> = {
  read: 'read',
  around: 'show the lines of',
  check: 'check the changes of',
  rebase: 'check the changes of',
  place: 'find the places in',
  patchDiff: 'show the changes of',
  countChanged: 'count the changes of',
}

/** The arrays in an input weigh as much as those of an operation. */
function asOperation(input: object) {
  const operation = { op: '', ...input }
  return { toolCallId: '', index: 0, operation, circumstances: { time: '', author: '', seed: 0 } }
}

function outOfTime(): Result<never, 'TIMEOUT'> {
  const seconds = LIMITS.toolTimeoutMs / 1000
  return fail(
    'TIMEOUT',
    `Nothing was done: other work on long texts took the ${seconds} s that this call had. Try again in a moment.`,
  )
}

function tooLarge({ path, bytes }: TextVersion): Result<never, 'TOO_LARGE'> {
  const megabytes = LIMITS.textBytes / 2 ** 20
  return fail(
    'TOO_LARGE',
    `Cannot work on "${path}" as text: it has ${sizeOf(bytes)} bytes, and a text file may have at most ${megabytes} MB. Ask the person to split it.`,
  )
}
