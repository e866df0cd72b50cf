import { EXIT_CODES, type Kind, visible, visibleJson } from '@filewright/protocol'

/**
 * For a person: a name or a model's words cannot steer the terminal. stdout carries the answer alone; everything else goes to
 * stderr.
 */
export function answer(text: string): void {
  answerData(visible(text))
}

/** For a program: exactly this. */
export function answerData(text: string): void {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`)
}

export function answerJson(value: unknown): void {
  answerData(visibleJson(JSON.stringify(value, null, process.stdout.isTTY ? 2 : undefined)))
}

export function exitCodeOf(envelope: { success: boolean; kind?: Kind }): number {
  return envelope.success ? EXIT_CODES.success : EXIT_CODES[envelope.kind ?? 'internal']
}
