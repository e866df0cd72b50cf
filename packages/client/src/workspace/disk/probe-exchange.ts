import { randomBytes } from 'node:crypto'
import { type Folder, isErrno } from '../paths/folder.ts'
import { tempNames } from '../paths/temp-names.ts'
import { loadNative } from './native/native.ts'

const OLD_WAY =
  'by moving the old file away and the new one in, so that its name is missing for a moment'

/** Tries it with two empty files, which are gone afterwards: only the disk knows. Closes the folder. */
export async function probeExchange(folder: Folder): Promise<string> {
  const native = await loadNative()
  if (native.calls === null) return `${OLD_WAY}: no exchange, ${native.reason}`
  const { staged, kept, withdrawn } = tempNames(randomBytes(8).toString('hex'), 0)
  try {
    for (const name of [staged, kept]) (await folder.createFile(name)).close()
    await folder.exchange(staged, folder, kept, withdrawn)
    return 'by an atomic exchange, so that a name is never missing'
  } catch (error) {
    if (!isErrno(error)) throw error
    return `${OLD_WAY}: the disk answered ${error.code}`
  } finally {
    for (const name of [staged, kept]) await folder.remove(name).catch(() => {}) // not created
    folder.close()
  }
}
