import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type Ran, type RunOptions, type Sandbox, sandbox } from '../../cli.ts'
import { type FakeModel, type FakeStep, fakeModel } from '../../fake-model.ts'

export const SERVER = join(import.meta.dirname, 'server.mjs')
export const RUN = ['run', 'Take notes.', '--model', 'fake']

export const noteStep = (text: string, name = 'notes__note'): FakeStep => ({
  text: '',
  calls: [{ name, arguments: { text } }],
})

/** The command with a fake model and the fixture server, which is added as "notes". */
export interface OutsideBox {
  readonly box: Sandbox
  readonly model: FakeModel
  /** What the fixture writes down. */
  readonly folder: string
  readonly added: Ran
  readonly env: Readonly<Record<string, string>>
  run(args: readonly string[], options?: RunOptions): Promise<Ran>
  /** Answers the open question with this choice, and goes on. */
  answer(asked: Ran, choice: string): Promise<Ran>
  /** The calls that the server got. */
  calls(): unknown[]
  kept(file: string): unknown[]
  /** The definition of "note" from now on. */
  define(definition: object): void
  /** The last result that the model got. */
  lastResult(): string
  offered(): readonly Offered[]
}

export interface Offered {
  readonly name: string
  readonly description: string
  readonly parameters: unknown
}

export async function outsideBox(
  steps: readonly FakeStep[],
  modes: readonly string[] = [],
  addOptions: readonly string[] = [],
): Promise<OutsideBox> {
  const box = sandbox({ 'a.txt': 'a\n' })
  const folder = mkdtempSync(join(tmpdir(), 'filewright-mcp-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }))
  const model = await fakeModel(steps)
  const env = { FILEWRIGHT_BASE_URL: model.baseUrl, SECRET_KEY: 'sk-secret', PASSED: 'yes' }
  const run: OutsideBox['run'] = (args, options) =>
    box.run(args, { ...options, env: { ...env, ...options?.env } })
  const program = ['--', process.execPath, SERVER, folder, ...modes]
  const added = await run(['mcp', 'add', 'notes', ...addOptions, ...program])
  rmSync(join(folder, 'greetings.log'), { force: true })
  const kept = (file: string) => readLines(join(folder, file))
  return {
    box,
    model,
    folder,
    added,
    env,
    run,
    kept,
    calls: () => kept('calls.log'),
    async answer(asked, choice) {
      await run(['approvals', 'answer', questionIn(asked), choice])
      return run(['resume'])
    },
    define: definition =>
      writeFileSync(join(folder, 'definition.json'), JSON.stringify(definition)),
    lastResult: () =>
      model.requests.at(-1)!.messages.findLast(({ role }) => role === 'tool')?.content ?? '',
    offered: () =>
      (model.requests.at(-1)!.tools ?? [])
        .map(tool => tool.function as unknown as Offered)
        .filter(({ name }) => name.includes('__')),
  }
}

export function questionIn({ stderr }: Ran): string {
  return /qst_\w+/.exec(stderr)?.[0] ?? `no question in: ${stderr}`
}

function readLines(path: string): unknown[] {
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').trim().split('\n')
  return lines.map(line => JSON.parse(line))
}

/** Whether the fixture that was started last runs. On Linux a number that went to another process, or one that nobody has collected, is none. */
export function isRunning(folder: string): boolean {
  try {
    const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'))
    if (process.platform === 'linux')
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder)
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
