import type { LineLogs } from '../kept/line-logs.ts'

/** Logs in memory: for tests, and for state that may end with its process. */
export function createMemoryLines(): LineLogs {
  /** One text for the lines of one append. */
  const logs = new Map<string, string[]>()

  function append(name: string, lines: readonly unknown[]): void {
    logs.set(name, [...(logs.get(name) ?? []), JSON.stringify(lines)])
  }

  const read = (name: string) => (logs.get(name) ?? []).map(text => JSON.parse(text) as unknown[])

  return {
    placeOf: name => name,
    async append(name, lines) {
      append(name, lines)
    },
    async begin(name, lines) {
      append(name, lines)
      return { kept: Promise.resolve() }
    },
    read: async <Line>(name: string) => read(name).flat() as Line[],
    async salvage<Line>(name: string, isLine: (line: unknown) => line is Line) {
      const all = read(name)
      const whole = all.filter((lines): lines is Line[] => lines.every(isLine))
      const lost = all.length - whole.length
      if (lost === 0) return { lines: whole.flat(), lost, keptAs: null }
      const aside = `damaged/${name}`
      logs.set(aside, logs.get(name)!)
      return { lines: whole.flat(), lost, keptAs: aside }
    },
    async replace(name, lines) {
      logs.set(
        name,
        lines.map(line => JSON.stringify([line])),
      )
    },
    readText: async name => (logs.get(name) ?? []).join('\n'),
    async list(folder) {
      const start = `${folder}/`
      return [...logs.keys()]
        .flatMap(name => (name.startsWith(start) ? name.slice(start.length) : []))
        .sort()
    },
    async move(from, to) {
      const log = logs.get(from)
      if (!log) throw new Error(`There is no log ${from}`)
      logs.delete(from)
      logs.set(to, log)
    },
    async remove(name) {
      logs.delete(name)
    },
  }
}
