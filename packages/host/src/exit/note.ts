import { visible } from '@filewright/protocol'

type Sink = (line: string) => void

const toStderr: Sink = line => void process.stderr.write(`${line}\n`)
let sink = toStderr

/** To the person at stderr: stdout carries the answer alone. */
export function note(text: string): void {
  sink(visible(text))
}

/** While something draws on the terminal, notes go through it. */
export function sendNotesTo(other: Sink): () => void {
  sink = other
  return () => {
    sink = toStderr
  }
}
