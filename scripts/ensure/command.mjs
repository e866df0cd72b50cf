import { spawn } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { root } from './paths.mjs'

/** An expected end of a step: its message is all that a person needs to see. */
export class StepFailure extends Error {}

const running = new Set()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Runs a program quietly; its output is shown only when it fails. */
export async function run(file, args, options) {
  const { code, output } = await capture(file, args, options)
  if (code === 0) return output
  throw new StepFailure(`${endsOf(output)}\n${[file, ...args].join(' ')} ended with ${code}.`)
}

export async function capture(file, args, options) {
  const child = start(file, args, options)
  return { code: await child.ended, output: child.output() }
}

/** A running program: `ended` is its exit code, signal or error code; it does not outlive us. */
export function start(file, args, { cwd = root, env } = {}) {
  const subprocess = spawn(file, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(subprocess)
  const chunks = []
  for (const stream of [subprocess.stdout, subprocess.stderr])
    stream.on('data', chunk => chunks.push(chunk))
  const ended = new Promise(resolve => {
    subprocess.on('error', error => {
      chunks.push(Buffer.from(error.message))
      resolve(error.code)
    })
    subprocess.on('close', (code, signal) => resolve(code ?? signal))
  }).finally(() => running.delete(subprocess))
  return { process: subprocess, ended, output: () => Buffer.concat(chunks).toString() }
}

/** The first group of `pattern` in the output of a program, or undefined when it ends or takes too long. */
export async function saidBy(child, pattern, timeoutMs) {
  const deadline = performance.now() + timeoutMs
  let over = false
  child.ended.then(() => (over = true))
  while (performance.now() < deadline) {
    const found = child.output().match(pattern)?.[1]
    if (found || over) return found
    await wait(50)
  }
}

export function stop(child) {
  child.process.kill('SIGKILL')
  return child.ended
}

/** A JavaScript program of an installed package, without a shell or a `.cmd` between. */
export function runNode(args, options) {
  return run(process.execPath, args, options)
}

/** The npm that started us, else the one on the path. */
export function npm(args, options) {
  const path = process.env.npm_execpath
  if (path && /npm-cli\.c?js$/.test(path)) return runNode([path, ...args], options)
  return process.platform === 'win32'
    ? run('cmd', ['/d', '/s', '/c', 'npm', ...args], options)
    : run('npm', args, options)
}

/** npm prints the cause first, a compiler last. */
function endsOf(output) {
  const lines = output.trimEnd().split('\n')
  if (lines.length <= 40) return lines.join('\n')
  return [...lines.slice(0, 20), '…', ...lines.slice(-20)].join('\n')
}
