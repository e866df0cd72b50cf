import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The paths of the test files that call `vi.mock`: each needs a process in which nothing is loaded yet. */
export function suitesWithMocks(root: string): string[] {
  return sourceFolders(root)
    .flatMap(folder =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
        path => `${folder}/${path.replaceAll('\\', '/')}`,
      ),
    )
    .filter(path => /\.test\.tsx?$/.test(path))
    .filter(path => /\bvi\.(mock|doMock)\(/.test(readFileSync(join(root, path), 'utf8')))
    .sort()
}

/** Without `dist` and `node_modules`, which are large. */
function sourceFolders(root: string): string[] {
  const packages = ['packages', 'apps'].flatMap(group =>
    readdirSync(join(root, group)).map(name => `${group}/${name}/src`),
  )
  return [...packages, 'test']
}
