// node uploads-child.js ROOT PART STEP SEED: uploads until it kills itself before (or in the middle of) a step to the disk.
// PART: `all` counts the steps from the start, `compact` from the beginning of a compaction.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { createRandom } from './apply-kit.ts'
import { openUploadsOn } from './uploads-kit.ts'

const [root, part, step, seed] = process.argv.slice(2)
const random = createRandom(Number(seed))
let left = part === 'all' ? Number(step) : Number.POSITIVE_INFINITY

killAtStep()
for (;;) {
  const { settle, uploads, isLong, change, close } = await openUploadsOn(root!, {
    isAway: () => random() < 0.2,
  })
  await settle()
  if (part === 'compact' && isLong) left = Number(step)
  await uploads.compact()
  for (let n = 0; n < 5; n++) {
    const changes = Array.from({ length: 30 }, () => change(random))
    await Promise.all(changes.map(({ changeSetId }) => uploads.intend(changeSetId)))
    for (const { applied } of changes) await uploads.add(applied())
  }
  close()
}

/** A write is cut in the middle; every other step is not done. */
function killAtStep(): void {
  const { writeSync } = fs
  const kill = () => process.kill(process.pid, 'SIGKILL')
  for (const name of ['openSync', 'writeSync', 'closeSync', 'renameSync', 'ftruncateSync'] as const)
    replace(name, (original, given) => {
      if (--left === 0) {
        if (name === 'writeSync') writeHalf(given as WriteBytes)
        kill()
      }
      return original(...given)
    })
  replace('fdatasync', (original, given) => {
    if (--left === 0) kill()
    return original(...given)
  })

  type WriteBytes = [fd: number, bytes: Uint8Array, offset: number, length: number, at: number]
  function writeHalf([fd, bytes, offset, length, at]: WriteBytes) {
    writeSync(fd, bytes, offset, Math.floor(length / 2), at)
  }
  syncBuiltinESMExports()
}

type Step = (...given: unknown[]) => unknown

function replace(name: keyof typeof fs, stepped: (original: Step, given: unknown[]) => unknown) {
  const original = fs[name] as unknown as Step
  Object.assign(fs, { [name]: (...given: unknown[]) => stepped(original, given) })
}
