import { createHash } from 'node:crypto'
import type { ChangeSetId } from '@filewright/protocol'
import type { ApplyJournal, Commit, Intent, Pair, Unfinished } from '../apply/journal.ts'
import { type Folder, isErrno, type NewFile, readWhole } from '../workspace/paths/folder.ts'

const FILE = 'apply.journal'
const NEXT_FILE = 'apply.journal.next'
const MAX_BYTES = 1024 * 1024 // a larger journal is rewritten once everything in it has ended

type Line =
  | { readonly type: 'intent'; readonly intent: Intent }
  | { readonly type: 'renames'; readonly changeSetId: ChangeSetId }
  | {
      readonly type: 'pairs'
      readonly changeSetId: ChangeSetId
      readonly pairs: readonly Pair[]
    }
  | { readonly type: 'commit'; readonly commit: Commit }
  | { readonly type: 'end'; readonly changeSetId: ChangeSetId }
  | { readonly type: 'order'; readonly order: number }

/**
 * One line per record, each with a checksum: nothing relied on a line that a crash tore, so it is skipped. The file only
 * grows, so a durable line makes all lines before it durable.
 */
export function createApplyJournal(folder: Folder): ApplyJournal {
  const open = new Map<ChangeSetId, Unfinished>()
  let newest = 0
  let sizeBytes = 0
  let isNamed = false // durably, in its folder
  let endsInLine = false
  let file: NewFile | undefined
  let loaded: Promise<void> | undefined

  function load(): Promise<void> {
    loaded ??= readLines().catch(error => {
      loaded = undefined // the cause may pass
      throw error
    })
    return loaded
  }

  async function readLines(): Promise<void> {
    if ((await folder.statusOf(FILE)) === null) return
    const source = await folder.openFile(FILE)
    const bytes = await readWhole(source).finally(() => source.close())
    sizeBytes = bytes.length
    isNamed = sizeBytes > 0
    endsInLine = sizeBytes > 0 && bytes[sizeBytes - 1] !== 0x0a
    for (const text of Buffer.from(bytes).toString('utf8').split('\n')) {
      const line = parseLine(text)
      if (line) fold(line)
    }
  }

  function fold(line: Line): void {
    if (line.type === 'intent') {
      const { changeSetId, order, time } = line.intent
      open.set(changeSetId, { intent: line.intent, commit: null, renames: false, pairs: [] })
      newest = Math.max(newest, order ?? time)
    } else if (line.type === 'order') newest = Math.max(newest, line.order)
    else if (line.type === 'end') open.delete(line.changeSetId)
    else {
      const id = line.type === 'commit' ? line.commit.changeSetId : line.changeSetId
      const known = open.get(id)
      if (!known) return
      if (line.type === 'commit') open.set(id, { ...known, commit: line.commit })
      else if (line.type === 'pairs') open.set(id, { ...known, pairs: line.pairs })
      else open.set(id, { ...known, renames: true })
    }
  }

  async function append(line: Line, { durable }: { durable: boolean }): Promise<void> {
    await load()
    file ??= await folder.appendFile(FILE)
    const text = `${endsInLine ? '\n' : ''}${formatLine(line)}\n`
    endsInLine = true // until the whole line is written
    const bytes = Buffer.from(text)
    await file.write([bytes])
    endsInLine = false
    sizeBytes += bytes.length
    if (durable) {
      await Promise.all([file.sync(), isNamed ? undefined : folder.sync()])
      isNamed = true
    }
    fold(line)
  }

  async function startAnew(): Promise<void> {
    file?.close()
    file = undefined
    const first = Buffer.from(`${formatLine({ type: 'order', order: newest })}\n`)
    try {
      if ((await folder.statusOf(NEXT_FILE)) !== null) await folder.remove(NEXT_FILE)
      const next = await folder.createFile(NEXT_FILE, { mode: 0o600 })
      try {
        await next.write([first])
        await next.sync()
      } finally {
        next.close()
      }
      await folder.rename(NEXT_FILE, folder, FILE)
    } catch (error) {
      if (isErrno(error)) return // it keeps growing, and the next end tries again
      throw error
    }
    sizeBytes = first.length
    isNamed = false
  }

  return {
    async nextOrder(now) {
      await load()
      return Math.max(now, newest + 1)
    },
    intend: intent => append({ type: 'intent', intent }, { durable: true }),
    notePairs: (changeSetId, pairs) =>
      append({ type: 'pairs', changeSetId, pairs }, { durable: true }),
    noteRenames: changeSetId => append({ type: 'renames', changeSetId }, { durable: true }),
    commit: commit => append({ type: 'commit', commit }, { durable: true }),
    async end(changeSetId, options) {
      await append({ type: 'end', changeSetId }, options)
      if (open.size === 0 && sizeBytes > MAX_BYTES) await startAnew()
    },
    async unfinished() {
      await load()
      return [...open.values()]
    },
    close() {
      file?.close()
      file = undefined
    },
  }
}

function formatLine(line: Line): string {
  const json = JSON.stringify(line)
  return `${checksum(json)} ${json}`
}

function parseLine(text: string): Line | undefined {
  const space = text.indexOf(' ')
  const json = text.slice(space + 1)
  if (space < 0 || checksum(json) !== text.slice(0, space)) return undefined
  return JSON.parse(json) as Line
}

function checksum(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}
