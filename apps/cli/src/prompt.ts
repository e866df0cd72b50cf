import { createInterface } from 'node:readline/promises'

/** Asks on stderr, so that stdout stays the answer's. */
export async function askLine(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return (await lines.question(question)).trim()
  } finally {
    lines.close()
  }
}

export async function askYesNo(question: string): Promise<boolean> {
  return /^y(es)?$/i.test(await askLine(`${question} [y/N] `))
}
