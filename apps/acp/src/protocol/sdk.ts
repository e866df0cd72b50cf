import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export type AcpSdk = typeof import('./sdk-main.ts')

/** Loaded when somebody first speaks the protocol: no other command pays for it. */
export function loadSdk(): AcpSdk {
  const here = fileURLToPath(import.meta.url)
  return createRequire(here)(fileOf(here)) as AcpSdk
}

/** Built into one file: beside the bundled command, or in `dist` of this app for code that runs from `src`. */
function fileOf(here: string): string {
  const folder = dirname(here)
  const home = basename(folder) === 'protocol' ? join(folder, '../../dist') : folder
  return join(home, 'acp-sdk.cjs')
}
