import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readModule } from './sources.ts'

const tools = 'packages/tools/src'
const list = `${tools}/tools.ts`

/** A tool is one folder and one line: without the line, nobody can call the tool. */
export function catalogFaults(root: string): string[] {
  const folders = readdirSync(join(root, tools)).filter(name =>
    existsSync(join(root, tools, name, 'tool.ts')),
  )
  const listed = readModule(list, readFileSync(join(root, list), 'utf8')).specifiers.flatMap(
    specifier => specifier.match(/^\.\/([^/]+)\//)?.[1] ?? [],
  )
  return [
    ...folders
      .filter(name => !listed.includes(name))
      .map(
        name =>
          `${tools}/${name} is not in ${list}: a tool is one folder and one line (ARCHITECTURE §5).`,
      ),
    ...listed
      .filter(name => !folders.includes(name))
      .map(name => `${list} lists ${name}, which has no folder with a tool.ts.`),
  ]
}
