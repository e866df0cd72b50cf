import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { createRandom } from '../testing/apply-kit.ts'
import { makeTempFolder } from '../testing/temp-folder.ts'
import { openUploadsOn } from '../testing/uploads-kit.ts'

const KILLS = process.env.FILEWRIGHT_FULL === '1' ? 100 : 12
const CHILD = fileURLToPath(new URL('../../dist/testing/uploads-child.js', import.meta.url))
const STEPS = 800 // what a start, 150 change sets and the next start take, and some more
const STEPS_OF_COMPACTION = 6

test(`a process killed ${KILLS} times while it uploads or rewrites its log leaves the store with the current files`, async () => {
  const root = makeTempFolder()
  const random = createRandom(23)
  const seen = { owed: 0, compacted: 0, cutOff: 0 }
  for (let kill = 0; kill < KILLS; kill++) {
    const part = kill % 2 === 0 ? 'compact' : 'all'
    const steps = part === 'compact' ? STEPS_OF_COMPACTION : STEPS
    const before = linesIn(root)
    const child = spawnSync(
      process.execPath,
      [CHILD, root, part, String(1 + Math.floor(random() * steps)), String(kill)],
      { encoding: 'utf8', timeout: 120_000 },
    )
    expect(child, child.stderr).toMatchObject({ signal: 'SIGKILL', status: null })
    if (existsSync(join(root, 'uploads.jsonl.new'))) seen.cutOff++
    if (linesIn(root) < before) seen.compacted++

    const after = await openUploadsOn(root)
    expect(after.uploads.trouble).toEqual([])
    if (!isDeepStrictEqual(after.inStore(), after.onDisk())) seen.owed++
    await after.settle()
    expect(after.inStore(), `kill ${kill}`).toEqual(after.onDisk())
    after.close()
  }
  for (const count of Object.values(seen)) expect(count, JSON.stringify(seen)).toBeGreaterThan(0)
}, 600_000)

function linesIn(root: string): number {
  const path = join(root, 'uploads.jsonl')
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').length : 0
}
