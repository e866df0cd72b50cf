import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { LineLogs } from '../kept/line-logs.ts'
import { sha256Of } from '../workspace/tree/hash-content.ts'
import { ignoreMissing, syncFolder, writeDurably } from './durable-file.ts'
import { type LineLog, openLineLog, parseLines, salvageLines } from './line-log.ts'
import type { Unsynced } from './unsynced.ts'

const OPEN_LOGS = 16 // the most recently written
const DAMAGED = 'damaged'

export interface LogFolder extends LineLogs {
  close(): void
}

/** One file per log. */
export function openLogFolder(root: string, unsynced: Unsynced): LogFolder {
  const logs = new Map<string, LineLog>()
  const openings = new Map<string, Promise<LineLog>>()
  const pathOf = (name: string) => join(root, name)
  const placeOf = (name: string) => `${basename(dirname(root))}/${basename(root)}/${name}`

  function closeLog(name: string) {
    logs.get(name)?.close()
    logs.delete(name)
  }

  async function begin(name: string, lines: readonly unknown[]) {
    const log = logs.get(name) ?? (await openOnce(name))
    log.append(lines)
    return { kept: log.sync() }
  }

  /** Closes the oldest logs that nobody waits for. */
  function closeOld(): void {
    for (const [name, log] of logs) {
      if (logs.size < OPEN_LOGS) return
      if (!log.isBusy) closeLog(name)
    }
  }

  /** Callers that come while it opens wait for the same log, in order. */
  function openOnce(name: string): Promise<LineLog> {
    const opening = openings.get(name) ?? openLog(name).finally(() => openings.delete(name))
    openings.set(name, opening)
    return opening
  }

  async function openLog(name: string): Promise<LineLog> {
    const path = pathOf(name)
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    closeOld()
    const log = openLineLog(path, unsynced.all)
    if (log.isEmpty) unsynced.add(syncFolder(dirname(path)))
    logs.set(name, log)
    return log
  }

  return {
    placeOf,
    begin,
    async append(name, lines) {
      await (await begin(name, lines)).kept
    },

    async read<Line>(name: string) {
      const bytes = await readFile(pathOf(name)).catch(ignoreMissing)
      return bytes ? parseLines<Line>(bytes) : []
    },

    async salvage<Line>(name: string, isLine: (line: unknown) => line is Line) {
      const bytes = await readFile(pathOf(name)).catch(ignoreMissing)
      const salvaged = salvageLines(bytes ?? Buffer.alloc(0), isLine)
      if (!bytes || salvaged.lost === 0) return { ...salvaged, keptAs: null }
      const digest = sha256Of(bytes).slice(0, 8)
      const aside = `${DAMAGED}/${basename(name, '.jsonl')}-${digest}.jsonl`
      await mkdir(pathOf(DAMAGED), { recursive: true, mode: 0o700 })
      await writeDurably(pathOf(aside), bytes)
      return { ...salvaged, keptAs: placeOf(aside) }
    },

    async replace(name, lines) {
      await openings.get(name)
      await logs.get(name)?.settled()
      closeLog(name)
      await writeDurably(pathOf(name), Buffer.from(lines.map(toJsonLine).join('')))
    },

    async readText(name) {
      return (await readFile(pathOf(name), 'utf8').catch(ignoreMissing)) ?? ''
    },

    async list(folder) {
      const names = await readdir(pathOf(folder)).catch(ignoreMissing)
      return (names ?? []).sort()
    },

    async move(from, to) {
      closeLog(from)
      await mkdir(dirname(pathOf(to)), { recursive: true, mode: 0o700 })
      await rename(pathOf(from), pathOf(to))
      const folders = new Set([to, from].map(name => dirname(pathOf(name))))
      unsynced.add(Promise.all([...folders].map(syncFolder)))
    },

    async remove(name) {
      closeLog(name)
      await rm(pathOf(name), { force: true, recursive: true })
    },

    close() {
      for (const name of [...logs.keys()]) closeLog(name)
    },
  }
}

function toJsonLine(line: unknown): string {
  return `${JSON.stringify(line)}\n`
}
