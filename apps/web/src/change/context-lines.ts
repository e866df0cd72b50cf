/** Unchanged lines of a unified diff by their number before the change. */
export type ContextLines = ReadonlyMap<number, string>

export function contextOf(diff: string): ContextLines {
  const lines = new Map<number, string>()
  let number = 0
  for (const line of diff.split('\n')) {
    const hunk = /^@@ -(\d+)/.exec(line)
    if (hunk) number = Number(hunk[1])
    else if (line.startsWith(' ')) lines.set(number++, line.slice(1))
    else if (line.startsWith('-') && !line.startsWith('---')) number++
  }
  return lines
}

const AROUND = 2

/** The lines just before or after, as far as they did not change. */
export function around(
  context: ContextLines,
  first: number,
  count: number,
): { readonly above: readonly Numbered[]; readonly below: readonly Numbered[] } {
  const run = (from: number, step: 1 | -1) => {
    const found: Numbered[] = []
    for (let at = from; found.length < AROUND; at += step) {
      const text = context.get(at)
      if (text === undefined) break
      found.push({ number: at, text })
    }
    return found
  }
  return { above: run(first - 1, -1).reverse(), below: run(first + count, 1) }
}

export interface Numbered {
  readonly number: number
  readonly text: string
}
