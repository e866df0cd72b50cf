import { loadFormat } from '@filewright/documents'
import { runEngineHost } from '@filewright/engine/host'

/** The child in which hostile files are worked on. */
export function runEngine(beforeFirstResult: () => void): Promise<void> {
  return runEngineHost(loadFormat, { beforeFirstResult })
}
