import { readPictureHead } from '@filewright/documents'
import {
  type DocPath,
  fail,
  isPrivateFile,
  LIMITS,
  ok,
  type Result,
  refusePrivate,
  type Sha256,
  type WorkspaceId,
} from '@filewright/protocol'
import type { ClientLink } from '../link/client-link.ts'
import type { Blobs } from '../store/blobs.ts'
import type { Sources } from '../store/sources.ts'
import type { Arrivals } from './arrivals.ts'

/** What may be given out of a workspace by its hash or its history: only what some path would give now. */
export interface ReadableBytes {
  /** `putsBytes`: whoever asks may put bytes here, and so has what no file has yet. */
  find(
    workspaceId: WorkspaceId,
    sha256: Sha256,
    asked: { readonly putsBytes: boolean },
  ): Promise<Result<null, 'NOT_FOUND' | 'PRIVATE_FILE'>>
  /** Whether one of these files may be read. */
  mayRead(workspaceId: WorkspaceId, docPaths: readonly DocPath[]): Promise<boolean>
}

export interface ReadableBytesParts {
  readonly arrivals: Arrivals
  readonly sources: Sources
  readonly blobs: Blobs
  readonly link: Pick<ClientLink, 'ask'>
}

export function createReadableBytes(parts: ReadableBytesParts): ReadableBytes {
  const { arrivals, sources, blobs, link } = parts

  /** Only the client knows its links and its rules; while it is away, the names decide. */
  async function mayRead(workspaceId: WorkspaceId, docPaths: readonly DocPath[]) {
    const asked = await link.ask(workspaceId, 'may-read', { docPaths }, WITHIN)
    return asked.ok ? asked.value : docPaths.some(docPath => !isPrivateFile(docPath))
  }

  /** Bytes of no file are those of a picture in a message or in a result, to whoever may read. */
  async function isPicture(sha256: Sha256): Promise<boolean> {
    const bytes = await blobs.get(sha256, { start: 0, end: PICTURE_HEAD })
    return bytes !== undefined && readPictureHead(bytes) !== undefined
  }

  return {
    mayRead,
    async find(workspaceId, sha256, { putsBytes }) {
      const missing = fail('NOT_FOUND', `No version in this workspace has the bytes ${sha256}.`)
      if (!(await arrivals.has(workspaceId, sha256))) return missing
      const known = await sources.pathsOf(workspaceId, sha256)
      const noted = arrivals.pathOf(workspaceId, sha256)
      const docPaths = noted && !known.includes(noted) ? [...known, noted] : known
      const [first] = docPaths
      if (first === undefined) return putsBytes || (await isPicture(sha256)) ? ok(null) : missing
      return (await mayRead(workspaceId, docPaths)) ? ok(null) : refusePrivate(first, first)
    },
  }
}

const WITHIN = { timeoutMs: LIMITS.toolTimeoutMs }
const PICTURE_HEAD = 64 * 1024 // a JPEG says its size after what cameras and editors add
