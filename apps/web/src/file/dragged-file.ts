import type { Result } from '@filewright/protocol'
import type { Api } from '../api.ts'

const PATH = 'application/x-filewright-path'
const MOST = 2000 // what the server gives at once

export function dragPath(data: DataTransfer, path: string): void {
  data.setData(PATH, path)
  data.setData('text/plain', `@${path}`)
}

export function holdsFile({ types }: DataTransfer): boolean {
  return types.includes(PATH) || types.includes('Files')
}

/** From our own list, or from elsewhere on the machine, for which a browser gives only the name. */
export async function droppedPaths(
  data: DataTransfer,
  api: Api,
  workspaceId: string,
): Promise<Result<readonly string[]>> {
  const own = data.getData(PATH)
  if (own) return { ok: true, value: [own] }
  const paths: string[] = []
  for (const name of Array.from(data.files, file => file.name)) {
    const found = await pathOf(name, api, workspaceId)
    if (!found.ok) return found
    paths.push(found.value)
  }
  return { ok: true, value: paths }
}

async function pathOf(name: string, api: Api, workspaceId: string): Promise<Result<string>> {
  const listed = await api.call('listFiles', {
    params: { workspaceId },
    query: { named: name, limit: MOST },
  })
  if (!listed.ok) return listed
  const named = listed.value.files.filter(({ path }) => path.split('/').at(-1) === name)
  const [only] = named
  if (only && named.length === 1) return { ok: true, value: only.path }
  const message = only
    ? `There are several files called “${name}” in this folder: drag the one you mean from the list of files.`
    : `There is no “${name}” in this folder. Put it there first: only its files can be worked on.`
  return { ok: false, failure: { code: 'NOT_FOUND', kind: 'missing', message, errors: [message] } }
}
