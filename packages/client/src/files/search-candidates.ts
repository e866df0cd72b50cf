import {
  counted,
  type DocPath,
  fail,
  ok,
  parseRelativePath,
  type RelativePath,
  type Result,
  type Sha256,
  toDocPath,
} from '@filewright/protocol'
import type { FileFailure, FileSearch } from '@filewright/tools'
import type { Draft } from '../draft/draft.ts'
import type { Desk } from '../draft/draft-view.ts'
import { toNamesFilter } from './name-pattern.ts'

/** A file that a search looks into. */
export interface SearchCandidate {
  readonly docPath: DocPath
  readonly path: RelativePath
  readonly sizeBytes: number
  /** Null: never hashed. */
  readonly sha256: Sha256 | null
  readonly isDrafted: boolean
}

type Candidates = Promise<Result<readonly SearchCandidate[], FileFailure>>

/** In the order of their paths: one file by its exact name, else the files that are not ignored and hold no keys. */
export async function findCandidates(desk: Desk, draft: Draft, asked: FileSearch): Candidates {
  const scope = (asked.path ?? '').trim().replaceAll('\\', '/').replace(/\/$/, '')
  if (scope === '' || scope === '.') return listed(desk, draft, asked, '')
  const path = parseRelativePath(scope)
  if (!path.ok) return path
  return (await byName(desk, draft, path.value)) ?? listed(desk, draft, asked, path.value)
}

async function byName(
  { workspace, allowsReading }: Desk,
  draft: Draft,
  path: RelativePath,
): Promise<Result<readonly SearchCandidate[], FileFailure> | undefined> {
  const drafted = draft.files.get(toDocPath(path))
  if (drafted) return drafted.isDeleted ? undefined : ok([toDrafted(drafted)])
  const found = await workspace.locate(path)
  if (!found.ok)
    return found.failure.code === 'NOT_FOUND' ? undefined : (found as Result<never, FileFailure>)
  const { docPath, sizeBytes, isPrivate } = found.value
  if (isPrivate && !allowsReading(docPath)) {
    const refused = await workspace.read(path)
    if (!refused.ok) return refused as Result<never, FileFailure>
  }
  return ok([{ docPath, path: found.value.path, sizeBytes, sha256: null, isDrafted: false }])
}

async function listed(
  { workspace, allowsReading }: Desk,
  draft: Draft,
  { pattern = '', after = '' }: FileSearch,
  folder: string,
): Candidates {
  const isNamed = toNamesFilter(pattern)
  const prefix = folder === '' ? '' : `${toDocPath(folder as RelativePath)}/`
  const isWanted = ({ docPath, path }: { docPath: DocPath; path: string }) =>
    docPath.startsWith(prefix) && path > after && isNamed(docPath)
  const candidates: SearchCandidate[] = []
  let isFolder = prefix === ''
  let withheld = 0
  for await (const entry of workspace.list({ ignored: 'omit' })) {
    if (entry.kind === 'question') return fail('LIMIT_REACHED', entry.message, { kind: 'denied' })
    if (entry.kind === 'gone') return { ok: false, failure: entry.failure }
    if (entry.kind !== 'file' || entry.collidesWith || draft.files.has(entry.docPath)) continue
    isFolder ||= entry.docPath.startsWith(prefix)
    if ((entry.isPrivate && !allowsReading(entry.docPath)) || !isWanted(entry)) continue
    if (entry.isWithheld) withheld++
    else candidates.push({ ...entry, isDrafted: false })
  }
  for (const file of draft.files.values()) {
    isFolder ||= !file.isDeleted && file.docPath.startsWith(prefix)
    if (!file.isDeleted && isWanted(file)) candidates.push(toDrafted(file))
  }
  if (!isFolder) return noSuch(folder)
  if (withheld > 0 && candidates.length === 0) return tooManyRules(withheld)
  return ok(candidates.sort((a, b) => (a.path < b.path ? -1 : 1)))
}

function toDrafted({ docPath, path }: { docPath: DocPath; path: RelativePath }): SearchCandidate {
  return { docPath, path, sizeBytes: 0, sha256: null, isDrafted: true }
}

function tooManyRules(count: number): Result<never, FileFailure> {
  return fail(
    'LIMIT_REACHED',
    `Cannot search ${counted(count, 'file')}: there are more ignore rules here than can be matched, so nobody knows what they leave out. Search a file by its exact name, or ask the person to allow it with "filewright rules add --effect scan".`,
    { kind: 'denied' },
  )
}

function noSuch(path: string): Result<never, FileFailure> {
  return fail(
    'NOT_FOUND',
    `Cannot search "${path}": there is no such file, and no folder of that name with files that are not ignored. list_files shows what exists; an ignored file is searched by its exact name.`,
  )
}
