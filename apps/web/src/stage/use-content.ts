import type { Failure } from '@filewright/protocol'
import { useEffect, useState } from 'react'
import type { Api } from '../api.ts'

/** A file's bytes, and whether a draft made them. */
export interface FileContent {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly sha256: string
  readonly isDrafted: boolean
}

export interface ContentState {
  readonly content?: FileContent
  readonly failure?: Failure
  readonly isLoading: boolean
}

export interface ContentQuery {
  readonly workspaceId: string
  readonly path: string
  readonly draftId?: string
}

/** Asked for again when `pulse` moves; what is shown stays until the new bytes are here. */
export function useContent(api: Api, query: ContentQuery, pulse: unknown): ContentState {
  const { workspaceId, path, draftId } = query
  const [state, setState] = useState<ContentState>({ isLoading: true })
  useEffect(() => {
    const stop = new AbortController()
    setState(before => ({ ...before, isLoading: true }))
    readContent(api, { workspaceId, path, draftId }, stop.signal).then(read => {
      if (stop.signal.aborted) return
      setState(before =>
        before.content && read.content?.sha256 === before.content.sha256
          ? { content: before.content, isLoading: false }
          : { ...read, isLoading: false },
      )
    })
    return () => stop.abort()
  }, [api, workspaceId, path, draftId, pulse])
  return state
}

export async function readContent(
  api: Api,
  { workspaceId, path, draftId }: ContentQuery,
  signal?: AbortSignal,
): Promise<Omit<ContentState, 'isLoading'>> {
  try {
    const response = await api.open('getContent', {
      params: { workspaceId },
      query: { path, draftId },
      signal,
    })
    if (!response.ok) return { failure: await failureIn(response) }
    return {
      content: {
        bytes: new Uint8Array(await response.arrayBuffer()),
        sha256: response.headers.get('x-content-sha256') ?? '',
        isDrafted: response.headers.get('x-content-drafted') === 'true',
      },
    }
  } catch {
    const message = 'The file could not be read: the server does not answer.'
    return { failure: { code: 'SERVER_GONE', kind: 'unavailable', message, errors: [message] } }
  }
}

async function failureIn(response: Response): Promise<Failure> {
  const { errorCode, kind, message, errors } = await response.json()
  return { code: errorCode, kind, message, errors }
}

/** Hands bytes to the browser as a file of their own. */
export function download(bytes: BlobPart, name: string): void {
  const url = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
