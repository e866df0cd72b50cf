// node recover-child.js ROOT STATE: finishes or undoes interrupted applies, and prints how many of each.
import { recover } from '../apply/apply.ts'
import { openDiskPorts } from './disk-ports.ts'

const [root, state] = process.argv.slice(2)
const { undone, finished, warnings } = await recover(await openDiskPorts(root!, state!))
console.log(JSON.stringify({ undone: undone.length, finished: finished.length, warnings }))
