import { findFormat } from '@filewright/documents'
import {
  type DocPath,
  type FileEntry,
  fail,
  LIMITS,
  ok,
  parseRelativePath,
  type Result,
  toDocPath,
  toVersion,
} from '@filewright/protocol'
import type { FileFailure, Files, ListedFile } from '@filewright/tools'
import { type Draft, type DraftFile, isRespelled } from '../draft/draft.ts'
import {
  type Desk,
  engineFor,
  sizeUpDrafted,
  type ViewedFile,
  viewFile,
} from '../draft/draft-view.ts'
import { refuseKeyFile } from '../draft/refuse-key-file.ts'
import { drawPages } from './draw-pages.ts'
import type { FileLister } from './file-lister.ts'
import { findForeignSelector } from './foreign.ts'
import { createTableQuery } from './query-tables.ts'
import { createTreeSearch } from './search-tree.ts'

type Failed = Result<never, FileFailure>

/** The files as a draft has them, for a call to read. */
export function createDraftFiles(desk: Desk, lister: FileLister, draft: Draft): Files {
  return {
    async list(page) {
      const listed = await lister.list({ ...page, folded: true }, draft)
      if (!listed.ok) return listed as Failed
      const files = await Promise.all(listed.value.files.map(asDrafted))
      return ok({ ...listed.value, files })
    },
    async locate(spelling) {
      const path = parseRelativePath(spelling)
      if (!path.ok) return path
      const docPath = toDocPath(path.value)
      const drafted = draft.files.get(docPath)
      if (drafted && !drafted.isDeleted) return ok({ docPath, path: drafted.path, exists: true })
      const found = await desk.workspace.locate(path.value)
      if (found.ok) return ok({ docPath, path: found.value.path, exists: !drafted })
      if (found.failure.code !== 'NOT_FOUND') return found as Failed
      const place = await desk.workspace.placeFor(path.value)
      return place.ok ? ok({ docPath, path: place.value, exists: false }) : place
    },
    facts: spelling => viewFile(desk, draft, spelling),
    async onDisk(docPath) {
      const hashed = await desk.workspace.hash(docPath)
      if (hashed.ok) {
        const { path, sha256, sizeBytes } = hashed.value
        return refuseKeyFile(desk, hashed.value) ?? ok({ path, sha256, sizeBytes })
      }
      if (hashed.failure.code !== 'NOT_FOUND') return hashed as Failed
      const folder = hashed.failure.details?.folder
      return folder === undefined
        ? (refuseKeyFile(desk, { docPath, path: docPath }) ?? ok(null))
        : fail(
            'InvalidPath',
            `"${folder}" is the name of a folder. Name a file in it, or choose another name.`,
            { details: { folder } },
          )
    },
    async map(spelling) {
      const file = await viewFile(desk, draft, spelling)
      if (!file.ok) return file
      const map = await engineFor(desk, file.value.format).map(file.value.ref)
      return map.ok ? ok(await told(map.value, file.value)) : (map as Failed)
    },
    async read(spelling, region, { styles }) {
      const file = await viewFile(desk, draft, spelling)
      if (!file.ok) return file
      const wrong = findForeignSelector(file.value, region)
      if (wrong) return wrong
      const options = {
        maxBytes: READ_BYTES,
        wholeBytes: WHOLE_BYTES,
        styles,
        ...(file.value.sha256 && { version: toVersion(file.value.sha256) }),
      }
      const reading = await engineFor(desk, file.value.format).read(file.value.ref, region, options)
      if (!reading.ok) return reading as Failed
      const { pictures = [], ...answer } = reading.value
      const images = pictures.length > 0 ? await desk.keepPictures(pictures) : []
      return ok({ ...(await told(answer, file.value)), images })
    },
    async draw(spelling, region) {
      const file = await viewFile(desk, draft, spelling)
      if (!file.ok) return file
      const drawn = await drawPages(desk, draft, file.value, region)
      if (!drawn.ok) return drawn
      const { pictures = [], ...answer } = drawn.value.reading
      const images = await desk.keepPictures(pictures)
      return ok({ ...drawn.value, ...(await told(answer, file.value)), images })
    },
    search: createTreeSearch(desk, draft),
    query: createTableQuery(desk, draft),
  }

  async function told<Answer extends { readonly warnings?: readonly string[] }>(
    answer: Answer,
    file: ViewedFile,
  ) {
    const drift = file.draft === 'none' ? undefined : await describeDrift(file.docPath)
    return drift
      ? { ...answer, file, warnings: [...(answer.warnings ?? []), drift] }
      : { ...answer, file }
  }

  /** The draft is shown: a reader who plans on it should know that the file changed on disk. */
  async function describeDrift(docPath: DocPath): Promise<string | undefined> {
    const drafted = draft.files.get(docPath)
    if (!drafted || drafted.diskPath !== undefined) return undefined
    const source = isRespelled(drafted) ? undefined : drafted.origin?.source
    return (await driftOf(drafted)) ?? (source && driftOf(source, drafted.path))
  }

  async function driftOf(drafted: DraftFile, movedTo?: string): Promise<string | undefined> {
    const { docPath } = drafted
    if (drafted.disk === null) return undefined
    const found = await desk.workspace.locate(docPath)
    if (found.ok && found.value.sizeBytes > CHECKED_BYTES) return undefined
    if (!found.ok && found.failure.code === 'WORKSPACE_GONE')
      return `This is the draft. ${found.failure.message}`
    const hashed = found.ok ? await desk.workspace.hash(docPath) : undefined
    if (hashed?.ok && hashed.value.sha256 === drafted.disk) return undefined
    const format = findFormat(drafted.format)
    const outcome =
      format?.has.rebase && hashed?.ok && movedTo === undefined
        ? `publishing carries its changes over to the new ${format.words.document} where they provably mean the same, and reports a conflict otherwise`
        : 'it cannot be published like this: tell the person, who can discard the draft'
    const moved = movedTo === undefined ? '' : `, moved to "${movedTo}" in the draft,`
    return `"${drafted.path}"${moved} ${hashed?.ok ? 'changed' : 'is gone'} on disk since the draft began, and this is the draft; ${outcome}.`
  }

  async function asDrafted(entry: FileEntry): Promise<ListedFile> {
    const file = draft.files.get(entry.docPath as DocPath)
    if (!file || file.isDeleted) return entry
    const { sizeBytes, sha256 } = await sizeUpDrafted(desk, draft, file)
    return { ...entry, sizeBytes, version: sha256 && toVersion(sha256) }
  }
}

/** A page is cut a little below the limit, so that its head and the hint to the next part fit. */
const READ_BYTES = LIMITS.resultBytes - 2048
const WHOLE_BYTES = 12 * 1024 // a page that a model reads at a glance; it goes on by `next`

/** For larger files a check of the disk costs more than it is worth; publishing checks any size. */
const CHECKED_BYTES = 16 * 1024 * 1024
