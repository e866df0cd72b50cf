import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folders: string[] = []
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
})

/** A new folder that is gone when the process has ended. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'filewright-server-'))
  folders.push(folder)
  return folder
}
