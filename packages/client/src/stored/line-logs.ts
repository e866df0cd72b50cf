import type { LineLogs } from '../kept/line-logs.ts'
import type { StoredLines } from './stored-ports.ts'

/** Lines that are appended together are one text: all or none of them are kept. */
export function createStoredLogs(lines: StoredLines): LineLogs {
  const toText = (together: readonly unknown[]) => JSON.stringify(together)

  async function read(name: string): Promise<unknown[][]> {
    return (await lines.read(name)).map(text => JSON.parse(text) as unknown[])
  }

  return {
    placeOf: name => name,
    append: (name, together) => lines.append(name, toText(together)),
    async begin(name, together) {
      const kept = lines.append(name, toText(together))
      kept.catch(() => {}) // whoever waits for it gets the error
      return { kept }
    },
    read: async <Line>(name: string) => (await read(name)).flat() as Line[],
    async salvage<Line>(name: string, isLine: (line: unknown) => line is Line) {
      const all = await read(name)
      const whole = all.filter((together): together is Line[] => together.every(isLine))
      const lost = all.length - whole.length
      if (lost === 0) return { lines: whole.flat(), lost, keptAs: null }
      const aside = `damaged/${name}`
      await lines.replace(aside, all.map(toText))
      return { lines: whole.flat(), lost, keptAs: aside }
    },
    replace: (name, all) =>
      lines.replace(
        name,
        all.map(line => toText([line])),
      ),
    readText: async name => (await lines.read(name)).join('\n'),
    list: lines.list,
    move: lines.move,
    remove: lines.remove,
  }
}
