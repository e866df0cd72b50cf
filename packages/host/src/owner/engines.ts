import type { ClientOptions } from '@filewright/client'
import { factsOf, loadFormat } from '@filewright/documents'
import {
  createInProcessEngine,
  createOffice,
  createProcessEngine,
  createSplitEngine,
  type Trouble,
} from '@filewright/engine'
import type { Config } from '../settings/config.ts'
import { toProcesses } from '../settings/engine-processes.ts'
import { findOffice } from '../settings/find-office.ts'

export interface Engines {
  readonly engines: ClientOptions['engines']
  close(): Promise<void>
}

/**
 * Formats that no file can harm run in this process while that is quick; everything else runs in children, whose main
 * function is `runEngine`.
 */
export function startEngines(
  config: Pick<Config, 'engines' | 'office' | 'programFolders'>,
  onTrouble?: (trouble: Trouble) => void,
): Engines {
  const processes = toProcesses(config.engines)
  const hostile = createProcessEngine({ command: engineCommand(), processes, onTrouble })
  const trusted = createSplitEngine({
    here: createInProcessEngine({ loadFormat }),
    apart: hostile,
    isLight: (format, work) => factsOf(format).isLight?.(work) ?? true,
  })
  const office = createOffice({
    find: () => findOffice(config),
    onTrouble: detail => onTrouble?.({ cause: 'crash', detail }),
  })
  return {
    engines: { trusted, hostile, office },
    async close() {
      office.close()
      await trusted.close()
    },
  }
}

/** The same bin, with a word that is not a command. */
function engineCommand(): readonly string[] {
  return [process.execPath, process.argv[1] ?? '', '__engine']
}
