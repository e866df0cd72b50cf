import { relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { expectedResult, expectedTree, findScenarios, runScenario } from './scenario.ts'

const tools = fileURLToPath(new URL('../packages/tools/src', import.meta.url))

test.each(findScenarios(tools).map(folder => [titleOf(folder), folder]))(
  '%s',
  async (_, folder) => {
    const { result, tree } = await runScenario(folder)
    expect(result).toMatchObject(expectedResult(folder) as object)
    expect(tree).toEqual(expectedTree(folder))
  },
)

/** `edit_text_file: 001_keeps_crlf` → "edit_text_file: keeps crlf". */
function titleOf(folder: string): string {
  const [tool, , name = ''] = relative(tools, folder).split(sep)
  return `${tool}: ${name.replace(/^\d+_/, '').replaceAll('_', ' ')}`
}
