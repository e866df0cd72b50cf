import {
  type DocPath,
  type FileEntry,
  type FilePage,
  fail,
  type LeftOut,
  ok,
  type PageOfFiles,
  type Result,
  toVersion,
  visibleName,
} from '@filewright/protocol'
import type { Draft, DraftFile } from '../draft/draft.ts'
import type { UnusableEntry, Workspace } from '../workspace/tree/workspace.ts'
import { toNameFilter } from './name-pattern.ts'

/** Pages of the workspace's files. Later pages continue the scan of the first. */
export interface FileLister {
  list(
    page: PageOfFiles,
    draft?: Draft,
  ): Promise<
    Result<
      FilePage & { readonly drafted: ReadonlyMap<string, string> },
      'LIMIT_REACHED' | 'WORKSPACE_GONE'
    >
  >
}

export function createFileLister(workspace: Pick<Workspace, 'list'>): FileLister {
  const scans = new Map<boolean, Scan>()

  async function scan(folded: boolean): Promise<Result<Scan, 'LIMIT_REACHED' | 'WORKSPACE_GONE'>> {
    const entries: FileEntry[] = []
    const leftOut: LeftOut = { total: 0, first: [] }
    for await (const entry of workspace.list({ ignored: folded ? 'fold' : 'omit' })) {
      if (entry.kind === 'question') {
        const details = { question: entry.reason }
        return fail('LIMIT_REACHED', entry.message, { kind: 'denied', details })
      }
      if (entry.kind === 'gone') return { ok: false, failure: entry.failure }
      if (entry.kind === 'ignored-folder')
        entries.push({
          path: entry.path,
          docPath: entry.docPath,
          sizeBytes: 0,
          modified: '',
          version: null,
          folded: { files: entry.fileCount },
        })
      else if (entry.kind === 'file')
        entries.push({
          path: entry.path,
          docPath: entry.docPath,
          sizeBytes: entry.sizeBytes,
          modified: toTime(entry.mtimeMs),
          version: entry.sha256 && !entry.isPrivate ? toVersion(entry.sha256) : null,
          ...(entry.isPrivate && { isPrivate: true }),
          ...(entry.isWithheld && { isWithheld: true }),
          ...(entry.collidesWith && { conflict: true }),
        })
      else note(leftOut, entry)
    }
    entries.sort(byPath)
    const scanned = { entries, leftOut }
    scans.set(folded, scanned)
    return ok(scanned)
  }

  return {
    async list({ after, limit, folded = false, named = '' }, draft) {
      const held = after === undefined ? undefined : scans.get(folded)
      const scanned = held ? ok(held) : await scan(folded)
      if (!scanned.ok) return scanned
      const { entries: all, drafted } = withDraft(scanned.value.entries, draft)
      const isNamed = toNameFilter(named)
      const entries =
        named === ''
          ? all
          : all.filter(entry => isNamed(entry.folded ? `${entry.docPath}/` : entry.docPath))
      const start = after === undefined ? 0 : entries.findIndex(entry => entry.path > after)
      const page = start < 0 ? [] : entries.slice(start, start + limit)
      const isLast = start < 0 || start + limit >= entries.length
      return ok({
        files: page,
        total: entries.length,
        next: isLast ? null : page.at(-1)!.path,
        ...(scanned.value.leftOut.total > 0 && { leftOut: scanned.value.leftOut }),
        drafted,
      })
    },
  }
}

interface Scan {
  readonly entries: readonly FileEntry[]
  readonly leftOut: LeftOut
}

const MOST_NAMED = 20 // the first ones show their kind, the count how many there are

function note(leftOut: LeftOut, { path, reason }: UnusableEntry): void {
  leftOut.total++
  if (leftOut.first.length < MOST_NAMED) leftOut.first.push({ path: visibleName(path), reason })
}

function withDraft(scanned: readonly FileEntry[], draft: Draft | undefined) {
  const drafted = new Map<string, string>()
  if (!draft || draft.files.size === 0) return { entries: scanned, drafted }
  const entries = scanned.map(entry => {
    const file = draft.files.get(entry.docPath as DocPath)
    return file?.diskPath === entry.path ? { ...entry, path: file.path } : entry
  })
  const known = new Set(scanned.map(entry => entry.docPath))
  for (const file of draft.files.values()) {
    drafted.set(file.docPath, stateOf(file))
    if (!known.has(file.docPath) && !file.isDeleted)
      entries.push({
        path: file.path,
        docPath: file.docPath,
        sizeBytes: 0, // for visible files the draft has it
        modified: draft.touched,
        version: null,
      })
  }
  return { entries: entries.sort(byPath), drafted }
}

function stateOf({ isDeleted, origin, disk }: DraftFile): string {
  if (isDeleted) return 'deleted'
  if (origin?.how === 'move') return 'moved'
  return disk === null ? 'created' : 'changed'
}

const LAST_DATE_MS = 8.64e15 // ECMA-262, Time Values

/** Empty when no calendar has it: an archive or a damaged disk gives a file any time. */
function toTime(ms: number): string {
  return Math.abs(ms) <= LAST_DATE_MS ? new Date(ms).toISOString() : ''
}

function byPath(a: FileEntry, b: FileEntry): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0
}
