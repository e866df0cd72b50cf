import { visible } from '@filewright/protocol'

/** To the person at stderr: stdout carries the answer alone. */
export function note(text: string): void {
  process.stderr.write(`${visible(text)}\n`)
}
