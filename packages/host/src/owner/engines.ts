import type { ClientOptions } from '@filewright/client'
import { loadFormat } from '@filewright/documents'
import { createInProcessEngine, createProcessEngine, type Trouble } from '@filewright/engine'

export interface Engines {
  readonly engines: ClientOptions['engines']
  close(): Promise<void>
}

/** What no file can harm is worked on here; what can be hostile in a child, which `runEngine` is the main function of. */
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

/** This same file, with a word that no command has. */
function engineCommand(): readonly string[] {
  return [process.execPath, process.argv[1] ?? '', '__engine']
}
