import type { Result } from '@filewright/protocol'
import type { Api } from '../api.ts'
import { putFile } from './upload.tsx'

const PATH = 'application/x-filewright-path'
const MOST = 2000 // what the server gives at once

export function dragPath(data: DataTransfer, path: string): void {
  data.setData(PATH, path)
  data.setData('text/plain', `@${path}`)
}

export function holdsFile({ types }: DataTransfer): boolean {
  return types.includes(PATH) || types.includes('Files')
}

/** From our own list, or from elsewhere on the machine: what is not in this folder yet is put there. */
export async function droppedPaths(
  data: DataTransfer,
  api: Api,
  workspaceId: string,
): Promise<Result<readonly string[]>> {
  const own = data.getData(PATH)
  return own ? { ok: true, value: [own] } : givenPaths(Array.from(data.files), api, workspaceId)
}

export async function givenPaths(
  files: readonly File[],
  api: Api,
  workspaceId: string,
): Promise<Result<readonly string[]>> {
  const paths: string[] = []
  for (const file of files) {
    const found = await pathOf(file, api, workspaceId)
    if (!found.ok) return found
    paths.push(found.value)
  }
  return { ok: true, value: paths }
}

async function pathOf(file: File, api: Api, workspaceId: string): Promise<Result<string>> {
  const { name } = file
  const listed = await api.call('listFiles', {
    params: { workspaceId },
    query: { named: name, limit: MOST },
  })
  if (!listed.ok) return listed
  const named = listed.value.files.filter(({ path }) => path.split('/').at(-1) === name)
  const [only] = named
  if (only && named.length === 1) return { ok: true, value: only.path }
  if (only) return several(name)
  const written = await putFile(api, workspaceId, file)
  return written.ok ? { ok: true, value: name } : written
}

function several(name: string): Result<never> {
  const message = `There are several files called “${name}” in this folder: drag the one you mean from the list of files.`
  return { ok: false, failure: { code: 'NOT_FOUND', kind: 'missing', message, errors: [message] } }
}
