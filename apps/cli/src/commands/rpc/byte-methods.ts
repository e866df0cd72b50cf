import { createHash } from 'node:crypto'
import type { Method, Params } from './method.ts'
import { CODES, RpcError, refusalIn } from './rpc-error.ts'

/** A line of text is no place for more; over HTTP bytes are streamed. */
const MOST_BYTES = 64 * 1024 * 1024

/** Files by path, and versions by hash: their bytes in base64. */
export const byteMethods: Readonly<Record<string, Method>> = {
  getContent: {
    takes: ['workspaceId', 'path', 'draftId'],
    needs: ['path'],
    async run({ workspaceId, path, draftId }, { work }) {
      const response = await work.connection.open('getContent', {
        params: within(work.params, workspaceId),
        query: { path: String(path), ...(draftId !== undefined && { draftId: String(draftId) }) },
      })
      const base64 = await readBytes(response)
      return {
        path,
        sha256: response.headers.get('x-content-sha256'),
        isDrafted: response.headers.get('x-content-drafted') === 'true',
        ...base64,
      }
    },
  },
  putContent: {
    takes: ['workspaceId', 'path', 'replace', 'base64'],
    needs: ['path'],
    async run({ workspaceId, path, replace, base64 }, { work }) {
      const response = await work.connection.open('putContent', {
        params: within(work.params, workspaceId),
        query: { path: String(path), ...(replace === true && { replace: 'true' }) },
        bytes: bytesOf('putContent', base64),
      })
      return readAnswer(response)
    },
  },
  putBlob: {
    takes: ['workspaceId', 'base64'],
    needs: ['base64'],
    async run({ workspaceId, base64 }, { work }) {
      const bytes = bytesOf('putBlob', base64)
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      const response = await work.connection.open('putBlob', {
        params: { ...within(work.params, workspaceId), sha256 },
        bytes,
      })
      return readAnswer(response)
    },
  },
  getBlob: {
    takes: ['workspaceId', 'sha256'],
    needs: ['sha256'],
    async run({ workspaceId, sha256 }, { work }) {
      const response = await work.connection.open('getBlob', {
        params: { ...within(work.params, workspaceId), sha256: String(sha256) },
      })
      return { sha256, ...(await readBytes(response)) }
    },
  },
}

type InWorkspace = { readonly workspaceId: string }

function within(own: InWorkspace, workspaceId: Params[string]): InWorkspace {
  return workspaceId === undefined ? own : { workspaceId: String(workspaceId) }
}

function bytesOf(method: string, base64: Params[string]): Buffer {
  if (typeof base64 !== 'string' || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64))
    throw new RpcError(CODES.params, `${method} needs "base64": the bytes.`)
  return Buffer.from(base64, 'base64')
}

async function readBytes(response: Response): Promise<{ sizeBytes: number; base64: string }> {
  if (!response.ok) throw await refusalIn(response)
  const sizeBytes = Number(response.headers.get('content-length') ?? 0)
  if (sizeBytes > MOST_BYTES) {
    await response.body?.cancel()
    throw new RpcError(
      CODES.failure,
      `The bytes are too many for a line: ${sizeBytes}, where ${MOST_BYTES} are allowed. Take them over HTTP.`,
      { errorCode: 'TOO_LARGE', kind: 'limit' },
    )
  }
  const bytes = Buffer.from(await response.arrayBuffer())
  return { sizeBytes: bytes.length, base64: bytes.toString('base64') }
}

async function readAnswer(response: Response): Promise<unknown> {
  if (!response.ok) throw await refusalIn(response)
  return response.json()
}
