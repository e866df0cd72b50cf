// fork(reader-child.js, [FILE]): opens the file over and over until asked to stop, and reports how often, how often
// there was none, and how often it was not whole: each of its lines is the same.
import fs from 'node:fs'

const [file] = process.argv.slice(2)
const seen = { opens: 0, missing: 0, broken: 0 }
let isStopped = false
process.on('message', () => {
  isStopped = true
})
process.on('disconnect', () => process.exit()) // whoever started it is gone
process.send!('ready')
while (!isStopped) {
  for (let n = 0; n < 100; n++) look()
  await new Promise(resolve => setImmediate(resolve))
}
process.send!(seen, () => process.exit())

function look(): void {
  seen.opens++
  try {
    const lines = fs.readFileSync(file!, 'utf8').split('\n')
    if (lines.pop() !== '' || new Set(lines).size !== 1) seen.broken++
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    seen.missing++
  }
}
