import { createInterface } from 'node:readline'
import { Exit } from '@filewright/host'
import { EXIT_CODES } from '@filewright/protocol'

/** Asks on stderr, so that stdout stays the answer's. The end of the input is an empty answer; Ctrl+C ends the command. */
export function askLine(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  return new Promise<string>((resolve, reject) => {
    lines.once('SIGINT', () => {
      process.stderr.write('\n')
      reject(new Exit(EXIT_CODES.cancelled, 'cancelled; the question stays open'))
    })
    lines.once('close', () => resolve(''))
    lines.question(question, line => resolve(line.trim()))
  }).finally(() => lines.close())
}

export async function askYesNo(question: string): Promise<boolean> {
  return /^y(es)?$/i.test(await askLine(`${question} [y/N] `))
}

/** Who answers yes or no. */
export interface Person {
  says(question: string): Promise<boolean>
}

export const ON_STDERR: Person = { says: askYesNo }

/** Whether a person can be asked here. */
export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true
}
