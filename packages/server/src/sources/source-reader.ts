import {
  type AnyBytes,
  type DocPath,
  fail,
  hintAtSimilar,
  isPrivateFile,
  LIMITS,
  ok,
  parseVersion,
  type RelativePath,
  type Result,
  refusePrivate,
  type Sha256,
  type WorkspaceId,
} from '@filewright/protocol'
import type { SourceFile, SourceReader } from '@filewright/tools'
import type { ClientLink } from '../link/client-link.ts'
import type { Blobs } from '../store/blobs.ts'
import type { Sources } from '../store/sources.ts'
import type { Arrivals } from './arrivals.ts'
import type { SourceTexts } from './source-texts.ts'

const HELD_BYTES = 1024 * 1024 // a larger file is streamed to where it is worked on

interface SourceReaderOptions {
  readonly workspaceId: WorkspaceId
  readonly sources: Sources
  readonly blobs: Blobs
  readonly arrivals: Arrivals
  readonly link: ClientLink
  readonly texts: SourceTexts
}

/** One reader for each workspace. */
export function createSourceReaders(
  options: Omit<SourceReaderOptions, 'workspaceId'>,
): (workspaceId: WorkspaceId) => SourceReader {
  const readers = new Map<WorkspaceId, SourceReader>()
  return workspaceId => {
    let reader = readers.get(workspaceId)
    if (!reader)
      readers.set(workspaceId, (reader = createSourceReader({ ...options, workspaceId })))
    return reader
  }
}

/** Reads through the source store: asks the attached client for the hash, and takes its bytes only if they are new. */
function createSourceReader({
  workspaceId,
  sources,
  blobs,
  arrivals,
  link,
  texts,
}: SourceReaderOptions): SourceReader {
  /** What a draft last made of a file: not a version of the store, and not put again. */
  const lastDrafted = new Map<string, Sha256>()

  return {
    async read(docPath, { similar = false, draftOf } = {}) {
      const head = await sources.head(workspaceId, docPath)
      const now = head && !draftOf && link.readAtOnce(workspaceId, docPath, texts.bytesOf)
      if (now && now.sha256 === head.sha256 && now.path === head.path)
        return ok({
          docPath,
          path: now.path,
          sha256: now.sha256,
          bytes: now.bytes,
          warnings: [],
        })
      if (!link.isAttached(workspaceId)) return readHead(docPath, head?.sha256 ?? null, head?.path)
      const draftKey = `${draftOf} ${docPath}`
      const asked = await link.ask(
        workspaceId,
        'source',
        {
          docPath,
          known: head?.sha256 ?? null,
          ...(similar && { similar }),
          ...(draftOf && {
            draftOf: { sessionId: draftOf, known: await heldDraft(draftKey) },
          }),
        },
        { timeoutMs: LIMITS.toolTimeoutMs },
      )
      if (!asked.ok) {
        if (asked.failure.code === 'CLIENT_GONE')
          return readHead(docPath, head?.sha256 ?? null, head?.path)
        if (asked.failure.code === 'NOT_FOUND')
          return notFound(docPath, asked.failure.details?.similar as readonly string[] | undefined)
        return asked as Result<never, 'PRIVATE_FILE'>
      }
      const { path, sizeBytes } = asked.value
      const sha256 = asked.value.sha256 as Sha256
      if (sha256 !== head?.sha256 && !(await arrivals.has(workspaceId, sha256)))
        return notArrived(path)
      if (asked.value.isDrafted) {
        lastDrafted.set(draftKey, sha256)
        arrivals.note(workspaceId, sha256, docPath)
      }
      if (!asked.value.isDrafted && (sha256 !== head?.sha256 || path !== head?.path))
        await sources.moveHeads(
          workspaceId,
          [{ docPath, path: path as RelativePath, sha256, sizeBytes }],
          { kind: 'read-through' },
        )
      const bytes = asked.value.bytes ?? (await bytesOf(sha256))
      if (!bytes) return notArrived(path)
      const { isDrafted, draftState } = asked.value
      return ok({ docPath, path, sha256, bytes, warnings: [], isDrafted, draftState })
    },

    async resolveVersion(docPath, version) {
      const parsed = parseVersion(version)
      if (!parsed.ok) return parsed
      return sources.resolveVersion(workspaceId, docPath, parsed.value)
    },

    bytes: bytesOf,

    async list(page) {
      return link.ask(workspaceId, 'files', page, { timeoutMs: LIMITS.toolTimeoutMs })
    },
  }

  async function bytesOf(sha256: Sha256): Promise<AnyBytes | undefined> {
    const sizeBytes = await blobs.size(sha256)
    if (sizeBytes === undefined) return undefined
    if (sizeBytes <= HELD_BYTES) return blobs.get(sha256)
    return { sizeBytes, stream: () => streamOf(sha256) }
  }

  async function* streamOf(sha256: Sha256): AsyncGenerator<Uint8Array> {
    const pieces = await blobs.stream(sha256)
    if (!pieces) throw new Error(`The bytes ${sha256} are gone`)
    yield* pieces
  }

  async function heldDraft(key: string): Promise<Sha256 | null> {
    const last = lastDrafted.get(key)
    if (last === undefined || !(await arrivals.has(workspaceId, last))) return null
    return (await blobs.has(last)) ? last : null
  }

  /** The client is away: the last known version, with a warning. */
  async function readHead(
    docPath: DocPath,
    sha256: Sha256 | null,
    path: string | undefined,
  ): Promise<Result<SourceFile, 'NOT_FOUND' | 'PRIVATE_FILE'>> {
    if (isPrivateFile(docPath)) return refusePrivate(path ?? docPath, docPath) // its rules are away too
    const bytes = sha256 === null ? undefined : await bytesOf(sha256)
    if (!bytes || sha256 === null) return notFound(docPath)
    const warning = `The client is away: this is the last known version of "${path}", and the file may have changed since.`
    return ok({ docPath, path: path ?? docPath, sha256, bytes, warnings: [warning] })
  }
}

function notArrived(path: string) {
  return fail('CLIENT_GONE', `The bytes of "${path}" did not arrive. Retry.`)
}

function notFound(docPath: DocPath, similar: readonly string[] = []) {
  const hint = hintAtSimilar(docPath, similar)
  return fail(
    'NOT_FOUND',
    `File '${docPath}' is neither active nor in the source store. ${hint && `${hint} `}List the files with workspace_list_files, or ask the person for it.`,
    similar.length > 0 ? { details: { similar } } : {},
  )
}
