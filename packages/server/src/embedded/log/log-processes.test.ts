import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { unwrap } from '@filewright/protocol'
import { afterEach, expect, test } from 'vitest'
import {
  beginSession,
  killChildren,
  type LogOfProcesses,
  processContract,
  startChild,
} from '../../log/log-processes.contract.ts'
import { openStores } from '../../stores/stores.ts'
import { tempFolder } from '../../testing/temp-folder.ts'

const isFull = process.env.FILEWRIGHT_FULL === '1'

processContract('the log on disk', async () => onDisk(), { kills: isFull ? 200 : 6 })

afterEach(killChildren)

const TRACER = 'strace'
const canTrace =
  process.platform === 'linux' && spawnSync(TRACER, ['-e', 'trace=none', 'true']).status === 0

test.skipIf(!canTrace)('no row is acknowledged before it was flushed to the disk', async () => {
  const made = onDisk()
  await beginSession(made)
  const trace = join(made.place, 'trace')
  const strace = [TRACER, '-f', '-o', trace, '-e', 'trace=pwrite64,fdatasync,write']
  const child = startChild(made.place, ['append', 60_000, 40], strace)
  await once(child.process, 'close')

  let isFlushed = false
  let acks = 0
  for (const call of readFileSync(trace, 'utf8').split('\n')) {
    if (/pwrite64\(/.test(call)) isFlushed = false
    if (/fdatasync.*= 0$/.test(call)) isFlushed = true
    if (!/write\(1, "ack/.test(call)) continue
    acks++
    expect(isFlushed).toBe(true)
  }
  expect(acks).toBeGreaterThanOrEqual(30)
})

function onDisk(): LogOfProcesses {
  const place = tempFolder()
  return { place, open: async () => unwrap(await openStores(place)) }
}
