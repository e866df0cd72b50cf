import { catalogFaults } from './catalog.ts'
import { cycleFaults } from './cycles.ts'
import { effectFaults } from './effects.ts'
import { generatedFaults } from './generated.ts'
import { layerFaults } from './layers.ts'
import { readSources } from './sources.ts'

/** Rule → one sentence for each place of the tree at `root` that breaks it. */
export function architectureFaults(root: string): Record<string, string[]> {
  const sources = readSources(root)
  return {
    'every import is an arrow of the package table': layerFaults(root, sources),
    'disk, processes, network, environment and clock stay in their places': effectFaults(sources),
    'no module is in an import cycle': cycleFaults(sources),
    'every tool folder is in the catalog, and nothing else': catalogFaults(root),
    'generated files are what the code says': generatedFaults(root),
  }
}
