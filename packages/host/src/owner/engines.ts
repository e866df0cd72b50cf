import type { ClientOptions } from '@filewright/client'
import { loadFormat } from '@filewright/documents'
import { createInProcessEngine, createProcessEngine, type Trouble } from '@filewright/engine'

export interface Engines {
  readonly engines: ClientOptions['engines']
  close(): Promise<void>
}

/** Formats that no file can harm run in this process; hostile ones run in a child, whose main function is `runEngine`. */
export function startEngines(onTrouble?: (trouble: Trouble) => void): Engines {
  const trusted = createInProcessEngine({ loadFormat })
  const hostile = createProcessEngine({ command: engineCommand(), onTrouble })
  return {
    engines: { trusted, hostile },
    async close() {
      await trusted.close()
      await hostile.close()
    },
  }
}

/** The same bin, with a word that is not a command. */
function engineCommand(): readonly string[] {
  return [process.execPath, process.argv[1] ?? '', '__engine']
}
