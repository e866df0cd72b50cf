import { EXIT_CODES, type Failure, type Kind, visible } from '@filewright/protocol'

/** stdout carries the answer alone; everything else goes to stderr. */
export function answer(text: string): void {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`)
}

export function answerJson(value: unknown): void {
  answer(JSON.stringify(value, null, process.stdout.isTTY ? 2 : undefined))
}

export function note(text: string): void {
  process.stderr.write(`${visible(text)}\n`)
}

/** Ends the command with what its caller should do next. */
export class Exit extends Error {
  readonly code: number
  constructor(code: number, message?: string) {
    super(message ?? '')
    this.code = code
  }
}

export function exitFor(failure: Pick<Failure, 'kind' | 'code' | 'message'>): Exit {
  if (failure.code === 'CANCELLED') return new Exit(EXIT_CODES.cancelled, failure.message)
  return new Exit(EXIT_CODES[failure.kind], failure.message)
}

export function exitCodeOf(envelope: { success: boolean; kind?: Kind }): number {
  return envelope.success ? EXIT_CODES.success : EXIT_CODES[envelope.kind ?? 'internal']
}

/** Whether a person can be asked here. */
export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true
}
