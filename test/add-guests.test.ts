import { expect } from 'vitest'
import { rules } from './architecture/faults.ts'
import { addCommandAndFace, expectCommandAndFace } from './guests/command-and-face.ts'
import { copyOfTheTree } from './guests/copy-of-the-tree.ts'
import { addFormat, expectFormat } from './guests/format.ts'
import { addProvider, expectProvider } from './guests/provider.ts'
import { addTool, expectTool } from './guests/tool.ts'
import { verifies } from './verifies.ts'

verifies(
  [
    'CONTRACT §4 operations listed',
    'CONTRACT §9 tools json',
    'CONTRACT §9 tools openai',
    'CONTRACT §9 tools mcp',
  ],
  'a tool, a format, a provider and a command are one folder and one line each, a face an app and one line',
  async () => {
    // One copy for all of them: most of the time is its compiler and its bundler.
    const copy = copyOfTheTree()
    for (const add of [addTool, addFormat, addProvider, addCommandAndFace]) add(copy)
    await copy.compile('apps/cli')
    await copy.bundle()
    for (const [rule, faultsOf] of Object.entries(rules))
      expect(faultsOf(copy.folder), rule).toEqual([])

    await expectTool(copy)
    await expectProvider(copy)
    await expectCommandAndFace(copy)
    await expectFormat(copy) // the last, because it brings the page, which answers any path
  },
)
