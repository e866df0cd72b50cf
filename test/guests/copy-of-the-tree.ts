import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect } from 'vitest'
import { root, runNode, temporaryFolder } from '../commands/checkout.ts'

/** The sources in a separate folder, to add a guest as its author would. */
export interface TreeCopy {
  readonly folder: string
  /** The built command. */
  readonly bin: string
  read(path: string): string
  /** Files below a folder, by name. */
  add(folder: string, files: Readonly<Record<string, string>>): void
  addLine(path: string, line: string): void
  /** Runs a script of the copy and returns its output. Fails the test if the script fails. */
  run(...args: readonly string[]): Promise<string>
  compile(project: string): Promise<void>
  bundle(): Promise<void>
}

export function copyOfTheTree(): TreeCopy {
  const folder = copy()
  const run = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await runNode([...args], folder)
    expect(code, stderr + stdout).toBe(0)
    return stdout
  }
  return {
    folder,
    bin: join(folder, 'apps/cli/bin/filewright.cjs'),
    read: path => readFileSync(join(folder, path), 'utf8'),
    add(below, files) {
      for (const [name, text] of Object.entries(files)) {
        const path = join(folder, below, name)
        mkdirSync(dirname(path), { recursive: true })
        writeFileSync(path, text)
      }
    },
    addLine: (path, line) => appendFileSync(join(folder, path), `${line}\n`),
    run,
    compile: async project =>
      expect(await run('node_modules/typescript/bin/tsc', '-b', project)).toBe(''),
    bundle: async () => void (await run('node_modules/vite/bin/vite.js', 'build', 'apps/cli')),
  }
}

/** Only sources, with the installed packages next to them and the copy's own packages in place of the checkout's. */
function copy(): string {
  const folder = temporaryFolder()
  for (const entry of ['packages', 'apps', 'docs', 'scripts', 'test', ...rootFiles()])
    cpSync(join(root, entry), join(folder, entry), {
      recursive: true,
      filter: path => !['node_modules', 'dist'].includes(basename(path)),
    })
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== '@filewright')
      link(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  for (const home of ['packages', 'apps'])
    for (const name of readdirSync(join(folder, home)))
      link(join(folder, home, name), join(folder, 'node_modules/@filewright', name))
  return folder
}

function rootFiles(): string[] {
  return readdirSync(root).filter(name => /^(package|tsconfig).*\.json$/.test(name))
}

function link(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(target, path, 'junction')
}
