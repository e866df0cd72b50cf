import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { serveBusy } from './busy-client.ts'

const FULL = process.env.FILEWRIGHT_FULL === '1'
const FILES = FULL ? 200_000 : 4_000
const MOST_MB = 400
const MOST_MS = 300
const SETTLED_MS = 15_000 // when the watchers stand and the first memory is given back

test.runIf(process.platform === 'linux')(
  `a tree of ${FILES} files takes little memory, and a listing of it little time`,
  { timeout: 600_000 },
  async () => {
    const files = Object.fromEntries(
      Array.from({ length: FILES }, (_, i) => [`area${i % 4_000}/file${i}.txt`, 'a line\n']),
    )
    const served = await serveBusy(files, ['--allow-large'])
    if (FULL) await pause(SETTLED_MS)
    const session = await served.newSession()
    const times: number[] = []
    for (let round = 0; round < 5; round++) {
      const before = performance.now()
      expect(await served.call('list_files', {}, session)).toMatchObject({ success: true })
      times.push(performance.now() - before)
    }
    const [first, ...later] = times.map(Math.round) as [number, ...number[]]
    console.log(
      `${FILES} files: first listing ${first} ms, then ${later.join(', ')} ms; owner ${served.memoryMB().toFixed(0)} MB`,
    )
    expect(served.memoryMB()).toBeLessThan(MOST_MB)
    // the first one reads every folder: docs/measurements.md says what it takes
    if (FULL) expect(Math.min(...later)).toBeLessThan(MOST_MS)
  },
)
