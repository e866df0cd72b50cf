import { createHash } from 'node:crypto'
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const MOST_ENTRIES = 1000

/** What a person typed in a folder before: below the state, a line of JSON each. It is a convenience: trouble with it stops nothing. */
export class HistoryFile {
  readonly #path: string
  readonly entries: readonly string[]

  constructor(stateRoot: string, folder: string) {
    const name = createHash('sha256').update(folder).digest('hex').slice(0, 16)
    this.#path = join(stateRoot, 'typed', `${name}.jsonl`)
    this.entries = read(this.#path)
    if (this.entries.length > 2 * MOST_ENTRIES) this.#shorten()
  }

  add(text: string): void {
    try {
      mkdirSync(join(this.#path, '..'), { recursive: true, mode: 0o700 })
      appendFileSync(this.#path, `${JSON.stringify(text)}\n`, { mode: 0o600 })
    } catch {}
  }

  #shorten(): void {
    try {
      const last = this.entries.slice(-MOST_ENTRIES)
      writeFileSync(this.#path, last.map(text => `${JSON.stringify(text)}\n`).join(''))
    } catch {}
  }
}

function read(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n').flatMap(parse)
  } catch {
    return []
  }
}

function parse(line: string): string[] {
  try {
    const text: unknown = JSON.parse(line)
    return typeof text === 'string' ? [text] : []
  } catch {
    return []
  }
}
