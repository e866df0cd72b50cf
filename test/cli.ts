import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Nothing answers there: a test must not depend on whether a model runs on the machine. */
export const NOWHERE = '127.0.0.1:1'

const BIN = join(import.meta.dirname, '../apps/cli/bin/filewright.cjs')

export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A folder of files with its own state, and the built command to work on it; removed when the test ends. */
export interface Sandbox {
  readonly dir: string
  readonly state: string
  /** The built command itself. */
  readonly bin: string
  run(args: readonly string[], options?: RunOptions): Promise<Ran>
  /** One tool call: the envelope that `filewright call` prints. */
  call(tool: string, args: unknown, flags?: readonly string[]): Promise<Called>
  start(args: readonly string[], options?: RunOptions): ChildProcess
  read(path: string): string
  readBytes(path: string): Buffer
  write(path: string, content: string | Uint8Array): void
  exists(path: string): boolean
}

export interface RunOptions {
  readonly input?: string | Buffer
  readonly env?: Readonly<Record<string, string>>
  /** Below the workspace's folder; by default that folder. */
  readonly cwd?: string
}

export interface Called {
  readonly code: number | null
  readonly stderr: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the tool answers
  readonly result: any
}

export function sandbox(
  files: Readonly<Record<string, string | Uint8Array>> = {},
  bin = BIN,
): Sandbox {
  const root = mkdtempSync(join(tmpdir(), 'filewright-test-'))
  const dir = join(root, 'work space')
  const state = join(root, 'state')
  mkdirSync(dir)
  const children: ChildProcess[] = []
  onTestFinished(async () => {
    await Promise.all(children.map(end)) // none writes any more
    rmSync(root, { recursive: true, force: true, maxRetries: 20 })
  })
  const write = (path: string, content: string | Uint8Array) => {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), content)
  }
  for (const [path, content] of Object.entries(files)) write(path, content)

  const start = (args: readonly string[], { env, cwd = '' }: RunOptions = {}) => {
    const child = spawn(process.execPath, [bin, ...args], {
      cwd: join(dir, cwd),
      env: {
        PATH: process.env.PATH,
        HOME: root,
        FILEWRIGHT_STATE: state,
        CI: 'true',
        OLLAMA_HOST: NOWHERE,
        ...env,
      },
    })
    children.push(child)
    return child
  }
  const run = (args: readonly string[], options: RunOptions = {}) =>
    finished(start(args, options), options.input)

  return {
    dir,
    state,
    bin,
    start,
    run,
    async call(tool, args, flags = []) {
      const { code, stdout, stderr } = await run(['call', tool, '-', ...flags], {
        input: JSON.stringify(args),
      })
      return { code, stderr, result: stdout === '' ? undefined : JSON.parse(stdout) }
    },
    read: path => readFileSync(join(dir, path), 'utf8'),
    readBytes: path => readFileSync(join(dir, path)),
    write,
    exists: path => existsSync(join(dir, path)),
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const exited = new Promise(resolve => child.once('exit', resolve))
  child.kill('SIGKILL')
  await exited
}

export function finished(child: ChildProcess, input?: string | Buffer): Promise<Ran> {
  return new Promise((resolve, reject) => {
    let stdout = ''
    let stderr = ''
    child.stdout?.setEncoding('utf8').on('data', text => (stdout += text))
    child.stderr?.setEncoding('utf8').on('data', text => (stderr += text))
    child.on('error', reject)
    child.on('close', code => resolve({ code, stdout, stderr }))
    child.stdin?.on('error', () => {}) // it ended without reading everything, as its exit code shows
    child.stdin?.end(input)
  })
}
