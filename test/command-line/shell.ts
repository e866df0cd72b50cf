import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Ended, endOf, root, start, temporaryFolder } from '../commands/checkout.ts'

const command = join(root, 'apps/cli/bin/filewright.mjs')

/** The built command in a shell without a terminal, with a folder and a state of its own. */
export interface Shell {
  readonly folder: string
  readonly state: string
  /** Runs `filewright …` on the folder. */
  run(args: readonly string[], input?: string): Promise<Ended>
  /** One tool call; its envelope. */
  call(tool: string, input: unknown, ...options: string[]): Promise<Answer>
  write(path: string, text: string): void
  read(path: string): string
  list(): string[]
}

export type Answer = { code: number | null } & Record<string, unknown>

export function openShell(files: Readonly<Record<string, string>> = {}): Shell {
  const folder = temporaryFolder()
  const state = temporaryFolder()
  const shell: Shell = {
    folder,
    state,
    run(args, input = '') {
      const child = start(process.execPath, [command, ...args], folder, { FILEWRIGHT_STATE: state })
      child.stdin?.end(input)
      return endOf(child)
    },
    async call(tool, input, ...options) {
      const { code, stdout, stderr } = await shell.run([
        'call',
        tool,
        JSON.stringify(input),
        ...options,
      ])
      if (stdout === '') throw new Error(`call ${tool} answered nothing: ${stderr}`)
      return { code, ...JSON.parse(stdout) }
    },
    write(path, text) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    },
    read: path => readFileSync(join(folder, path), 'utf8'),
    list: () => readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort(),
  }
  for (const [path, text] of Object.entries(files)) shell.write(path, text)
  return shell
}
