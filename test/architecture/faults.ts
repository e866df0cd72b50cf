import { catalogFaults } from './catalog.ts'
import { valueFaults } from './cell-values.ts'
import { cycleFaults } from './cycles.ts'
import { effectFaults } from './effects.ts'
import { formatFaults } from './format-ids.ts'
import { formulaWalkFaults } from './formula-walks.ts'
import { generatedFaults } from './generated.ts'
import { layerFaults } from './layers.ts'
import { nameFaults } from './names.ts'
import { providerFaults } from './provider-ids.ts'
import { roomFaults } from './rooms.ts'
import { sizeFaults } from './sizes.ts'
import { readSources } from './sources.ts'
import { toolNameFaults } from './tool-names.ts'

/** Rule → one sentence for each place of the tree at `root` that breaks it. */
export const rules = {
  'every import is an arrow of the package table': (root: string) =>
    layerFaults(root, readSources(root)),
  'every import between rooms is an arrow of the table of rooms': (root: string) =>
    roomFaults(readSources(root)),
  'disk, processes, network, environment and clock stay in their places': (root: string) =>
    effectFaults(readSources(root)),
  'no module is in an import cycle': (root: string) => cycleFaults(readSources(root)),
  'what a cell of a workbook shows is asked of its values': (root: string) =>
    valueFaults(readSources(root)),
  'formulas are read for their references by one walk': (root: string) =>
    formulaWalkFaults(readSources(root)),
  'every tool folder is in the catalog, and nothing else': catalogFaults,
  'nothing but a tool itself decides by its name': (root: string) =>
    toolNameFaults(root, readSources(root)),
  'nothing but a format itself decides by its id': (root: string) =>
    formatFaults(root, readSources(root)),
  'nothing but a provider itself decides by its id': (root: string) =>
    providerFaults(root, readSources(root)),
  'no function is too long to be read at once': (root: string) => sizeFaults(readSources(root)),
  'one name means one type': (root: string) => nameFaults(readSources(root)),
  'generated files are what the code says': generatedFaults,
}

export type Rule = keyof typeof rules
