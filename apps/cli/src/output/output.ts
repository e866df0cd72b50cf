import { EXIT_CODES, type Kind } from '@filewright/protocol'

/** stdout carries the answer alone; everything else goes to stderr. */
export function answer(text: string): void {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`)
}

export function answerJson(value: unknown): void {
  answer(JSON.stringify(value, null, process.stdout.isTTY ? 2 : undefined))
}

export function exitCodeOf(envelope: { success: boolean; kind?: Kind }): number {
  return envelope.success ? EXIT_CODES.success : EXIT_CODES[envelope.kind ?? 'internal']
}
