import { resolve } from 'node:path'
import { moveState, note, readConfig, startWaiting, unwrapOrExit } from '@filewright/host'
import { answer, answerJson } from '../../output/output.ts'

interface MigrateOptions {
  readonly from?: string
  readonly to?: string
  readonly json?: boolean
}

/** Copies, compares by hash, and leaves the folder as it is. */
export async function migrate({ from, to, json }: MigrateOptions): Promise<void> {
  const config = readConfig()
  const shared = { keys: {}, ...config.shared, ...(to !== undefined && { database: to }) }
  const folder = from === undefined ? config.stateRoot : resolve(from)
  let line = startWaiting('Moving the state')
  const tell = (sentence: string) => {
    line.end()
    note(sentence)
    line = startWaiting('Moving the state')
  }
  const moving = moveState(folder, { ...config, shared }, tell).finally(() => line.end())
  const moved = unwrapOrExit(await moving)
  if (json) return answerJson(moved)
  const rows = moved.tables.reduce((sum, table) => sum + table.rows, 0)
  answer(
    `Moved ${rows} rows of ${moved.tables.length} tables and ${moved.blobs} blobs (${moved.bytes} bytes) from ${folder}; each was read back and has its old hash.`,
  )
  if (moved.missing.length > 0)
    answer(
      `${moved.missing.length} blobs that rows name were lost in the folder already: ${moved.missing.slice(0, 5).join(', ')}`,
    )
  answer(
    'The folder is as it was. Start instances with FILEWRIGHT_DATABASE and FILEWRIGHT_BLOBS set.',
  )
}
