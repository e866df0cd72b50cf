import type { Failure } from '@filewright/protocol'
import type { Api } from '../api.ts'
import { putFile } from '../file/upload.tsx'

/** The files of the sample folder, as data addresses: the page brings them along. */
const SAMPLE: Readonly<Record<string, string>> = import.meta.glob('../../../../sample/**/*', {
  query: '?url&inline',
  import: 'default',
  eager: true,
})

/** Files to try things on. */
export async function putSample(api: Api, workspaceId: string): Promise<Failure | undefined> {
  for (const [from, address] of Object.entries(SAMPLE)) {
    const path = from.replace(/^.*?\/sample\//, '')
    const written = await putFile(api, workspaceId, new File([toBytes(address)], path))
    if (!written.ok) return written.failure
  }
  return undefined
}

function toBytes(address: string): Uint8Array<ArrayBuffer> {
  const comma = address.indexOf(',')
  const body = address.slice(comma + 1)
  if (!address.slice(0, comma).endsWith(';base64'))
    return new TextEncoder().encode(decodeURIComponent(body))
  return Uint8Array.from(atob(body), character => character.charCodeAt(0))
}
