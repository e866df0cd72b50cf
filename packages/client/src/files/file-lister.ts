import {
  type FileEntry,
  type FilePage,
  fail,
  type LeftOut,
  ok,
  type PageOfFiles,
  type RelativePath,
  type Result,
  toVersion,
  visibleName,
} from '@filewright/protocol'
import type { Draft, DraftFile } from '../draft/draft.ts'
import type {
  Entry,
  IgnoredFolderEntry,
  SeenFacts,
  TreeFileEntry,
  UnusableEntry,
  Workspace,
} from '../workspace/tree/workspace.ts'
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

type ListedWorkspace = Pick<Workspace, 'list' | 'listNames' | 'look'>

export function createFileLister(workspace: ListedWorkspace): FileLister {
  const scans = new Map<boolean, Scan>()

  async function scan(folded: boolean): Promise<Result<Scan, 'LIMIT_REACHED' | 'WORKSPACE_GONE'>> {
    const ignored = folded ? 'fold' : 'omit'
    const named = await gather(workspace.listNames({ ignored }))
    const scanned = named ?? (await gather(inOnes(workspace.list({ ignored }))))!
    if (!scanned.ok) return scanned
    const { entries, leftOut } = scanned.value
    const kept = { entries: entries.sort(byPath), leftOut, isBare: named !== undefined }
    scans.set(folded, kept)
    return ok(kept)
  }

  return {
    async list({ after, limit, folded = false, named = '' }, draft) {
      const held = after === undefined ? undefined : scans.get(folded)
      const scanned = held ? ok(held) : await scan(folded)
      if (!scanned.ok) return scanned
      const { isBare, leftOut } = scanned.value
      const { entries: all, drafted } = withDraft(scanned.value.entries, draft)
      const isNamed = toNameFilter(named)
      const entries =
        named === ''
          ? all
          : all.filter(({ kind, docPath }) =>
              isNamed(kind === 'ignored-folder' ? `${docPath}/` : docPath),
            )
      const start = after === undefined ? 0 : entries.findIndex(entry => entry.path > after)
      const page = start < 0 ? [] : entries.slice(start, start + limit)
      const isLast = start < 0 || start + limit >= entries.length
      return ok({
        files: await describe(workspace, page, isBare),
        total: entries.length,
        next: isLast ? null : page.at(-1)!.path,
        ...(leftOut.total > 0 && { leftOut }),
        drafted,
      })
    },
  }
}

type ListedEntry = TreeFileEntry | IgnoredFolderEntry

interface Gathered {
  readonly entries: ListedEntry[]
  readonly leftOut: LeftOut
}

interface Scan extends Gathered {
  /** Sizes and times are still to be read. */
  readonly isBare: boolean
}

/** Undefined where names alone do not tell. */
async function gather(
  batches: AsyncIterable<readonly Entry[] | undefined>,
): Promise<Result<Gathered, 'LIMIT_REACHED' | 'WORKSPACE_GONE'> | undefined> {
  const entries: ListedEntry[] = []
  const leftOut: LeftOut = { total: 0, first: [] }
  for await (const batch of batches) {
    if (!batch) return undefined
    for (const entry of batch) {
      if (entry.kind === 'question')
        return fail('LIMIT_REACHED', entry.message, {
          kind: 'denied',
          details: { question: entry.reason },
        })
      if (entry.kind === 'gone') return { ok: false, failure: entry.failure }
      if (entry.kind === 'unusable') note(leftOut, entry)
      else entries.push(entry)
    }
  }
  return ok({ entries, leftOut })
}

async function* inOnes(entries: AsyncIterable<Entry>): AsyncGenerator<readonly Entry[]> {
  for await (const entry of entries) yield [entry]
}

const MOST_NAMED = 20 // the first ones show their kind, the count how many there are

function note(leftOut: LeftOut, { path, reason }: UnusableEntry): void {
  leftOut.total++
  if (leftOut.first.length < MOST_NAMED) leftOut.first.push({ path: visibleName(path), reason })
}

/** A file as a draft has it: `disk` is there under another path, or not at all. */
interface DraftedEntry {
  readonly kind: 'drafted'
  readonly path: string
  readonly docPath: string
  readonly modified: string
  readonly disk?: ListedEntry
}

type PagedEntry = ListedEntry | DraftedEntry

/** Sizes and times are read for the files that are shown; one that is gone since is not shown. */
async function describe(
  workspace: ListedWorkspace,
  page: readonly PagedEntry[],
  isBare: boolean,
): Promise<FileEntry[]> {
  const bare = isBare ? page.flatMap(entry => barePathOf(entry) ?? []) : []
  const looked = bare.length > 0 ? await workspace.look(bare) : new Map<RelativePath, SeenFacts>()
  return page.flatMap(entry => {
    const path = isBare ? barePathOf(entry) : undefined
    const facts = path === undefined ? undefined : looked.get(path)
    return path !== undefined && !facts ? [] : toFileEntry(entry, facts)
  })
}

/** Where the file is whose facts are not known; a link has those of its target. */
function barePathOf(entry: PagedEntry): RelativePath | undefined {
  const file = entry.kind === 'drafted' ? entry.disk : entry
  return file?.kind === 'file' && file.linkTo === undefined ? file.path : undefined
}

function toFileEntry(entry: PagedEntry, facts?: SeenFacts): FileEntry {
  const { path, docPath, kind } = entry
  if (kind === 'drafted')
    return entry.disk
      ? { ...toFileEntry(entry.disk, facts), path }
      : { path, docPath, sizeBytes: 0, modified: entry.modified, version: null } // for visible files the draft has the size
  if (kind === 'ignored-folder') {
    const folded = { files: entry.fileCount }
    return { path, docPath, sizeBytes: 0, modified: '', version: null, folded }
  }
  const { sizeBytes, mtimeMs, sha256, isPrivate } = facts ?? entry
  return {
    path,
    docPath,
    sizeBytes,
    modified: toTime(mtimeMs),
    version: sha256 && !isPrivate ? toVersion(sha256) : null,
    ...(isPrivate && { isPrivate: true }),
    ...(entry.isWithheld && { isWithheld: true }),
    ...(entry.collidesWith && { conflict: true }),
  }
}

function withDraft(scanned: readonly ListedEntry[], draft: Draft | undefined) {
  const drafted = new Map<string, string>()
  if (!draft || draft.files.size === 0) return { entries: scanned, drafted }
  const entries = scanned.map((entry): PagedEntry => {
    const file = draft.files.get(entry.docPath)
    const isMoved = file?.diskPath === entry.path && file.path !== entry.path
    if (!isMoved) return entry
    const { path, docPath } = file
    return { kind: 'drafted', path, docPath, modified: '', disk: entry }
  })
  const known = new Set(scanned.map(entry => entry.docPath))
  for (const { docPath, path, isDeleted, ...file } of draft.files.values()) {
    drafted.set(docPath, stateOf({ isDeleted, ...file }))
    if (!known.has(docPath) && !isDeleted)
      entries.push({ kind: 'drafted', path, docPath, modified: draft.touched })
  }
  return { entries: entries.sort(byPath), drafted }
}

function stateOf({
  isDeleted,
  origin,
  disk,
}: Pick<DraftFile, 'isDeleted' | 'origin' | 'disk'>): string {
  if (isDeleted) return 'deleted'
  if (origin?.how === 'move') return 'moved'
  return disk === null ? 'created' : 'changed'
}

const LAST_DATE_MS = 8.64e15 // ECMA-262, Time Values

/** Empty when no calendar has it: an archive or a damaged disk gives a file any time. */
function toTime(ms: number): string {
  return Math.abs(ms) <= LAST_DATE_MS ? new Date(ms).toISOString() : ''
}

function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0
}
