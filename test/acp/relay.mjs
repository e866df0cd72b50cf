// Stands between a client and our agent: keeps every line in the file FRAMES. With HIDE_RESUME it hides that sessions can
// be resumed, so that a client which would rather resume loads them.
import { spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const { FRAMES, HIDE_RESUME } = process.env
const [command, ...args] = process.argv.slice(2)
const agent = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
agent.stdin.on('error', () => {}) // it ended
pass('client', process.stdin, agent.stdin)
pass('agent', agent.stdout, process.stdout)
process.stdin.on('end', () => agent.stdin.end())
agent.on('exit', code => process.exit(code ?? 1))

function pass(from, input, output) {
  createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY }).on('line', line => {
    appendFileSync(FRAMES, `${JSON.stringify({ from, pid: process.pid, line })}\n`)
    output.write(`${HIDE_RESUME && from === 'agent' ? withoutResume(line) : line}\n`)
  })
}

function withoutResume(line) {
  const message = JSON.parse(line)
  delete message.result?.agentCapabilities?.sessionCapabilities?.resume
  return JSON.stringify(message)
}
