// fork(swapper-child.js, [ROOT, OUTSIDE, MS]): swaps the folder ROOT/target for a link to OUTSIDE and back, as fast as it
// can, or stays for MS milliseconds each way.
import fs from 'node:fs'
import path from 'node:path'

const [root, outside, pause] = process.argv.slice(2)
const target = path.join(root!, 'target')
const aside = path.join(root!, 'aside')
let isStopped = false
process.on('message', () => {
  isStopped = true
})
process.on('disconnect', () => process.exit()) // the process that started it is gone
process.send!('ready')
let swaps = 0
while (!isStopped) {
  for (let n = 0; n < 20; n++, swaps++) {
    fs.renameSync(target, aside)
    fs.symlinkSync(outside!, target)
    await stay()
    fs.unlinkSync(target)
    fs.renameSync(aside, target)
    await stay()
  }
  await new Promise(resolve => setImmediate(resolve))
}
process.send!(swaps, () => process.exit())

async function stay(): Promise<void> {
  if (Number(pause) > 0) await new Promise(resolve => setTimeout(resolve, Number(pause)))
}
