// A client in a thread of its own: whoever prepares an attack of ten megabytes does not hold up its clock.
import { parentPort, workerData } from 'node:worker_threads'

const { address, headers, reads } = workerData
let isOver = false
parentPort.on('message', () => {
  isOver = true
})

for (let i = 0; !isOver; i++) {
  const [tool, args] = reads[i % reads.length]
  const body = JSON.stringify({ tool, arguments: args, approve: 'all' })
  const began = performance.now()
  const answer = await (await fetch(address, { method: 'POST', headers, body })).json()
  const refused = answer.success ? undefined : `${tool}: ${answer.message}`
  parentPort.postMessage({ ms: performance.now() - began, refused })
  await new Promise(resolve => setTimeout(resolve, 50))
}
parentPort.close()
