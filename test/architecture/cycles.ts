import type { Source } from './sources.ts'

/** A ring of modules, each importing the next: none of them can be read or tested alone. */
export function cycleFaults(sources: Source[]): string[] {
  const next = new Map(
    sources.map(({ path, imports }) => [path, imports.flatMap(({ path }) => path ?? [])]),
  )
  const done = new Set<string>()
  const faults: string[] = []

  const visit = (path: string, trail: string[]): void => {
    const start = trail.indexOf(path)
    if (start >= 0) {
      const ring = [...trail.slice(start), path]
      faults.push(`${path} is in an import cycle: ${ring.join(' → ')} (no import cycles).`)
      return
    }
    if (done.has(path)) return
    for (const target of next.get(path) ?? []) visit(target, [...trail, path])
    done.add(path)
  }
  for (const path of next.keys()) visit(path, [])
  return faults
}
