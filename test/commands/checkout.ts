import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { NOWHERE } from '../cli.ts'

export const root = fileURLToPath(new URL('../..', import.meta.url))

export type Ended = { code: number | null; signal: string | null; stdout: string; stderr: string }

/** A folder with our scripts, our packages and the given files; its name has a space in it. */
export function checkoutWith(files: Record<string, string>): string {
  const folder = temporaryFolder()
  cpSync(join(root, 'scripts'), join(folder, 'scripts'), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'filewright test '))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }))
  return folder
}

/**
 * Without the variables that vitest and npm set for this process: a person's shell has none of them. It has its own
 * process group, so that a test can press Ctrl-C and clean up.
 */
export function start(program: string, args: string[], cwd: string, env = {}): ChildProcess {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|VITEST|NODE_ENV$)/.test(name),
  )
  const child = spawn(program, args, {
    cwd,
    env: { ...Object.fromEntries(inherited), OLLAMA_HOST: NOWHERE, ...env },
    detached: true,
  })
  onTestFinished(() => signalGroup(child, 'SIGKILL'))
  return child
}

/** Like a terminal: the signal also goes to everything that the program started. */
export function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid) process.kill(-pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

export function run(program: string, args: string[], cwd: string, env = {}): Promise<Ended> {
  return endOf(start(program, args, cwd, env))
}

export function runNode(args: string[], cwd: string, env = {}): Promise<Ended> {
  return run(process.execPath, args, cwd, env)
}

export function endOf(child: ChildProcess): Promise<Ended> {
  const said = { stdout: '', stderr: '' }
  child.stdout?.on('data', chunk => (said.stdout += chunk))
  child.stderr?.on('data', chunk => (said.stderr += chunk))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code, signal, ...said }))
  })
}

export type Address = {
  /** As it was printed, with its token. */
  url: URL
  token: string
}

/** Waits for the address that a server prints when it is ready. */
export function addressSaidBy(server: ChildProcess): Promise<Address> {
  let said = ''
  return new Promise((resolve, reject) => {
    const hear = (chunk: Buffer) => {
      said += chunk
      const [address, token] = said.match(/https?:\/\/\S+[?#&]token=([\w.~-]+)\s/) ?? []
      if (address && token) resolve({ url: new URL(address.trim()), token })
    }
    server.stdout?.on('data', hear)
    server.stderr?.on('data', hear)
    server.on('close', code => reject(new Error(`The server ended with ${code}:\n${said}`)))
  })
}
