import { relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import {
  expectedResults,
  expectedTree,
  findScenarios,
  meantOutcome,
  runScenario,
} from './scenario.ts'

/** The scenarios of a tool, and of a format whose operations make one. */
const homes = ['../packages/tools/src', '../packages/documents/src/formats'].map(home =>
  fileURLToPath(new URL(home, import.meta.url)),
)

test.each(
  homes.flatMap(home => findScenarios(home).map(folder => [titleOf(home, folder), folder])),
)('%s', async (_, folder) => {
  const { results, tree, sendCorrected } = await runScenario(folder)
  expect(results).toMatchObject(expectedResults(folder, results.length))
  expect(tree).toEqual(expectedTree(folder))
  if (!sendCorrected) return
  const meant = meantOutcome(folder)
  const done = await sendCorrected()
  expect(done.results).toMatchObject([{ success: true, ...(meant.result as object) }])
  expect(done.tree).toEqual(meant.tree)
})

/** `edit_text_file: 001_keeps_crlf` → "edit_text_file: keeps crlf". */
function titleOf(home: string, folder: string): string {
  const [owner, , name = ''] = relative(home, folder).split(sep)
  return `${owner}: ${name.replace(/^\d+_/, '').replaceAll('_', ' ')}`
}
