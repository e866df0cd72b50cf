import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A new folder that is gone when the process has ended. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'filewright-server-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}
