import { fail, type Sha256, type WorkspaceId } from '@filewright/protocol'
import type { Arrivals } from '../../sources/arrivals.ts'
import type { Blobs } from '../../store/blobs.ts'
import type { Quotas } from '../quotas.ts'
import type { RouteRequest, Routes } from '../route.ts'
import type { Within } from './within.ts'

export interface ContentRouteParts {
  readonly arrivals: Arrivals
  readonly blobs: Blobs
  readonly quotas: Quotas
}

/** However a browser comes to open them, they run nothing and load nothing. */
export const FILE_HEADERS = {
  'content-type': 'application/octet-stream',
  'content-disposition': 'attachment',
  'content-security-policy': "sandbox; default-src 'none'",
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
}

const MOST_CHANGE_SETS = 200

/** Files as a person sees them, and those they bring. */
export function createContentRoutes(
  { blobs, arrivals, quotas }: ContentRouteParts,
  within: Within,
): Pick<Routes, 'getContent' | 'putContent' | 'listChangeSets'> {
  const content = within.ask('content', ({ query }: RouteRequest<'getContent'>) => query)
  const upload = (workspaceId: WorkspaceId, path: string, sha256: Sha256, replace: boolean) =>
    within.ask('upload', () => ({ path, sha256, replace }))({ params: { workspaceId } })

  return {
    async getContent(request) {
      const found = await content(request)
      if (!found.ok) return found
      const { bytes, sha256, sizeBytes, isDrafted } = found.value
      const body = bytes === undefined ? await blobs.stream(sha256 as Sha256) : [bytes]
      if (!body) return fail('NOT_FOUND', 'The bytes of this file did not arrive. Retry.')
      return new Response(ReadableStream.from(body), {
        headers: {
          ...FILE_HEADERS,
          'content-length': String(sizeBytes),
          'x-content-sha256': sha256,
          'x-content-drafted': String(isDrafted === true),
        },
      })
    },

    putContent: within.workspace(async ({ params: { workspaceId }, query, bytes, scope }) => {
      const stored = await quotas.store(scope, bytes, pieces =>
        blobs.put(pieces, { durable: false }),
      )
      if (!stored.ok) return stored
      arrivals.note(workspaceId, stored.value.sha256)
      return upload(workspaceId, query.path, stored.value.sha256, query.replace === 'true')
    }),

    listChangeSets: within.ask('change-sets', () => ({ limit: MOST_CHANGE_SETS })),
  }
}
