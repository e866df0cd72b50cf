import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { decisionOn } from './decisions.ts'
import type { Source } from './sources.ts'

const models = 'packages/loop/src/models'

/**
 * A decision by a provider's id outside its folder, where a member of the port should decide; a provider that imports
 * another; and an unlisted provider.
 */
export function providerFaults(root: string, sources: Source[]): string[] {
  const ids = readdirSync(join(root, models), { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(({ name }) => name)
  return [
    ...ids.flatMap(id => folderFaults(root, id)),
    ...sources.flatMap(source => [...decisionFaults(source, ids), ...importFaults(source, ids)]),
  ]
}

function folderFaults(root: string, id: string): string[] {
  const line = `export { default as ${id} } from './${id}/index.ts'\n`
  if (readFileSync(join(root, models, 'providers.ts'), 'utf8').includes(line)) return []
  return [`${models}/${id} has no line in providers.ts: every folder of models/ is a provider.`]
}

function decisionFaults({ path, code }: Source, ids: readonly string[]): string[] {
  const own = providerOf(path)
  const others = ids.filter(id => id !== own)
  return [...code.matchAll(decisionOn(others))].map(
    ([found]) =>
      `${path} decides by a provider's id (${found.trim()}): give the provider a member and ask that (ARCHITECTURE §3).`,
  )
}

function importFaults({ path, imports }: Source, ids: readonly string[]): string[] {
  const own = providerOf(path)
  if (own === undefined || !ids.includes(own)) return []
  return imports
    .filter(({ path: target }) => target?.startsWith(`${models}/`) && providerOf(target) !== own)
    .map(
      ({ specifier }) =>
        `${path} imports ${specifier}: a provider imports port, wire and dialects alone (ARCHITECTURE §3).`,
    )
}

/** The id of the provider whose folder contains the module. */
function providerOf(path: string): string | undefined {
  if (!path.startsWith(`${models}/`)) return undefined
  const [id, ...rest] = path.slice(models.length + 1).split('/')
  return rest.length > 0 ? id : undefined
}
