// fork(editor-child.js, [KIND, FILE…]): saves its files over and over, as editors do, until it gets a stop message. Each
// save reads the file, adds a line of its own and writes it back; at the end it reports the lines that it saved.
import fs from 'node:fs'

const [kind, ...files] = process.argv.slice(2)
const saved: string[] = []
let isStopped = false
process.on('message', () => {
  isStopped = true
})
process.on('disconnect', () => process.exit()) // the process that started it is gone

process.send!('ready')
for (let n = 0; !isStopped; n++) {
  const file = files[n % files.length]!
  const line = `${kind} ${process.pid} ${n}\n`
  try {
    if (kind === 'rename') saveByRename(file, line)
    else saveInPlace(file, line)
    saved.push(line.trim())
  } catch (error) {
    // moved away for a moment: an editor's user would save again
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const until = performance.now() + Math.random() * 4
  while (performance.now() < until);
  if (n % 8 === 0) await new Promise(resolve => setImmediate(resolve))
}
process.send!(saved, () => process.exit())

function saveByRename(file: string, line: string): void {
  const temp = `${file}.${process.pid}~`
  fs.writeFileSync(temp, fs.readFileSync(file, 'utf8') + line)
  fs.renameSync(temp, file)
}

/** Never creates the file again: an editor that holds it open writes to the very file it opened. */
function saveInPlace(file: string, line: string): void {
  const text = fs.readFileSync(file, 'utf8') + line
  const fd = fs.openSync(file, 'r+')
  try {
    fs.ftruncateSync(fd, 0)
    fs.writeSync(fd, text, 0)
  } finally {
    fs.closeSync(fd)
  }
}
