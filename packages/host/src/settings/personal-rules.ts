import { open } from 'node:fs/promises'
import { join } from 'node:path'

const MOST_BYTES = 128 * 1024 // a prompt takes less

/** What the person wants in every folder: `AGENTS.md` beside the settings. */
export async function readPersonalRules(stateRoot: string): Promise<string | undefined> {
  try {
    const file = await open(join(stateRoot, 'AGENTS.md'))
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(MOST_BYTES), 0, MOST_BYTES, 0)
      const text = buffer.subarray(0, bytesRead).toString().trim()
      return text === '' ? undefined : text
    } finally {
      await file.close()
    }
  } catch {
    return undefined // there is none, or it cannot be read
  }
}
