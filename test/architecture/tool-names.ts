import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { decisionOn } from './decisions.ts'
import { formatIds } from './format-ids.ts'
import type { Source } from './sources.ts'

const tools = 'packages/tools/src'

/** A decision by a tool's name outside the catalog, where a hook of the tool should decide. */
export function toolNameFaults(root: string, sources: Source[]): string[] {
  const names = [
    ...readdirSync(join(root, tools)).filter(name =>
      existsSync(join(root, tools, name, 'tool.ts')),
    ),
    ...formatIds(root).map(id => `${id}_operations`),
  ]
  const decision = decisionOn(names)
  return sources
    .filter(({ home }) => home !== 'packages/tools')
    .flatMap(({ path, code }) =>
      [...code.matchAll(decision)].map(
        ([found]) =>
          `${path} decides by a tool's name (${found.trim()}): declare a hook on the tool and ask that (ARCHITECTURE §5).`,
      ),
    )
}
