import {
  type ChangeSet,
  type ChangeSetId,
  type Content,
  type DocPath,
  fail,
  ok,
  type RelativePath,
  type Result,
  type Sha256,
  toDocPath,
} from '@filewright/protocol'
import type { FileAttributes, OpenFile } from '../workspace/paths/folder.ts'

/** One file of a set that is to be applied. */
export interface WantedFile {
  readonly docPath: DocPath
  readonly path: RelativePath
  /** The sha256 it must have now; null: it must not exist. */
  readonly base: Sha256 | null
  /** Null when it is deleted. */
  readonly sha256: Sha256 | null
  /** Slices of the base and inline bytes; or bytes kept in a checkpoint, opened when needed. */
  readonly content: Content | KeptContent | null
  /** The file whose permissions and owner it takes. */
  readonly like?: RelativePath
  /** Its former permissions and owner. */
  readonly attributes?: FileAttributes
}

export interface KeptContent {
  open(): Promise<OpenFile>
}

/** Applied at once: a change set, or one that takes another back. */
export interface WantedSet {
  readonly id: ChangeSetId
  readonly label?: string
  readonly files: readonly WantedFile[]
  /** Folders to remove if the deletions leave them empty, innermost first: those that the undone apply created. */
  readonly emptied: readonly RelativePath[]
  readonly undoes?: ChangeSetId
}

export function isKept(content: Content | KeptContent): content is KeptContent {
  return 'open' in content
}

/** Checks once what later steps rely on, and names each problem. */
export function toWantedSet(changeSet: ChangeSet): Result<WantedSet, 'INVALID_ARGUMENT'> {
  const problems = findProblems(changeSet)
  if (problems.length > 0)
    return fail('INVALID_ARGUMENT', `Nothing was written: ${problems[0]}`, { errors: problems })
  const { id, label, files } = changeSet
  return ok({ id, ...(label !== undefined && { label }), files, emptied: [] })
}

function findProblems({ files }: ChangeSet): string[] {
  const problems: string[] = []
  if (files.length === 0) problems.push('the change set names no file')
  const seen = new Map<DocPath, boolean>()
  for (const { docPath, path, base, content, sha256 } of files) {
    if (toDocPath(path) !== docPath) problems.push(`"${path}" is not the file of "${docPath}"`)
    if ((content === null) !== (sha256 === null))
      problems.push(`"${path}" needs new content and its sha256, or neither`)
    if (base === null && content === null)
      problems.push(`"${path}" is to be deleted but has no base`)
    if (base === null && content?.some(slice => slice.from === 'base'))
      problems.push(`"${path}" is new but takes bytes from a base`)
    // the same key twice is valid only for a new spelling of one file: its deletion and its creation
    const isDeleted = content === null
    const before = seen.get(docPath)
    if (before !== undefined && before === isDeleted)
      problems.push(`"${path}" is in the change set twice`)
    seen.set(docPath, isDeleted)
  }
  return problems
}
