// node apply-child.js ROOT STATE GENERATION: applies one generation after the other until it is killed.
import { unwrap } from '@filewright/protocol'
import { apply } from '../apply/apply.ts'
import { changeSet } from './apply-kit.ts'
import { openDiskPorts } from './disk-ports.ts'
import { step } from './generations.ts'

const [root, state, start] = process.argv.slice(2)
const ports = await openDiskPorts(root!, state!)
for (let number = Number(start); ; number++) {
  process.stdout.write('.')
  unwrap(await apply(changeSet(`cs_${process.pid}_${number}`, step(number)), ports))
}
