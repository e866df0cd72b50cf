import { relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { expectedResult, expectedTree, findScenarios, runScenario } from './scenario.ts'

/** Of a tool, and of a format whose operations make one. */
const homes = ['../packages/tools/src', '../packages/documents/src/formats'].map(home =>
  fileURLToPath(new URL(home, import.meta.url)),
)

test.each(
  homes.flatMap(home => findScenarios(home).map(folder => [titleOf(home, folder), folder])),
)('%s', async (_, folder) => {
  const { result, tree } = await runScenario(folder)
  expect(result).toMatchObject(expectedResult(folder) as object)
  expect(tree).toEqual(expectedTree(folder))
})

/** `edit_text_file: 001_keeps_crlf` → "edit_text_file: keeps crlf". */
function titleOf(home: string, folder: string): string {
  const [owner, , name = ''] = relative(home, folder).split(sep)
  return `${owner}: ${name.replace(/^\d+_/, '').replaceAll('_', ' ')}`
}
