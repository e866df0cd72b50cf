import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { version } from '@filewright/host'
import { expect, test } from 'vitest'
import { root, run, temporaryFolder } from './checkout.ts'

const scenarios = 'packages/documents/src/formats/xlsx/scenarios'
const workbook = join(root, scenarios, '001_set_cells_writes_typed_values/input/book.xlsx')
const forVersion = `${process.version}-${process.arch}-other`

test('the build leaves the command, what computes formulas, and the page', () => {
  const files = readdirSync(join(root, 'apps/cli/dist')).filter(name => name !== 'code')
  expect(files).toEqual([
    'acp-sdk.cjs',
    'filewright.cjs',
    'formula-evaluator.cjs',
    'mcp-sdk.cjs',
    'web',
  ])
})

test('the first start keeps the compiled code, and the second uses it', async () => {
  const command = install()
  await command.showVersion()
  expect(command.kept()).toEqual([forVersion])
  const kept = join(command.beside, forVersion)
  const { ino } = statSync(kept)
  await command.showVersion()
  expect(statSync(kept).ino).toBe(ino)
})

test.each([
  ['changed in one byte', (code: Buffer) => code.fill(code[500]! ^ 1, 500, 501)],
  ['cut short', (code: Buffer) => code.subarray(0, code.length / 2)],
  ['empty', () => Buffer.alloc(0)],
  ['of another bundle', (code: Buffer) => code.fill('0', 0, 64)],
])('kept code that is %s is not run and is replaced', async (_, damage) => {
  const command = install()
  await command.showVersion()
  const kept = join(command.beside, forVersion)
  const whole = readFileSync(kept).length
  writeFileSync(kept, damage(readFileSync(kept)))
  const damaged = readFileSync(kept)
  await command.showVersion()
  expect(readFileSync(kept).equals(damaged)).toBe(false)
  expect(readFileSync(kept).length).toBeGreaterThan(whole / 2)
})

test('code that another version of V8 made is replaced', async () => {
  const command = install()
  await command.showVersion()
  const kept = join(command.beside, forVersion)
  const { ino } = statSync(kept)
  const flags = ['--stack-size=900'] // acts like another version: V8 compares a hash of version and flags
  expect((await command.run(['--version'], flags)).stdout).toBe(`${version}\n`)
  expect(statSync(kept).ino).not.toBe(ino)
})

test('an install that cannot be written to keeps its code with the user', async () => {
  const command = install()
  writeFileSync(command.beside, 'in the way')
  await command.showVersion()
  const kept = command.keptByUser()
  expect(kept).toHaveLength(1)
  const { ino } = statSync(kept[0]!)
  await command.showVersion()
  expect(statSync(kept[0]!).ino).toBe(ino)
})

test.skipIf(process.platform === 'win32')(
  'code with the user that others may write to is not run',
  async () => {
    const command = install()
    writeFileSync(command.beside, 'in the way')
    await command.showVersion()
    const kept = command.keptByUser()[0]!
    chmodSync(kept, 0o666)
    await command.showVersion()
    expect(statSync(kept).mode & 0o022).toBe(0)
  },
)

test.each([{ XDG_CACHE_HOME: 'relative' }, { HOME: 'relative', LOCALAPPDATA: 'relative' }])(
  'code is not kept in a folder that depends on the current one: %j',
  async env => {
    const command = install(env)
    writeFileSync(command.beside, 'in the way')
    await command.showVersion()
    expect(readdirSync(command.folder)).not.toContain('relative')
  },
)

test('the command runs where no code can be kept', async () => {
  const command = install()
  writeFileSync(command.beside, 'in the way')
  writeFileSync(join(command.home, '.cache'), 'in the way')
  writeFileSync(join(command.home, 'Library'), 'in the way')
  writeFileSync(join(command.home, 'Filewright'), 'in the way')
  await command.showVersion()
})

test("a command that fails keeps nothing, and the engine's child and thread keep theirs", async () => {
  const command = install()
  const folder = temporaryFolder()
  cpSync(workbook, join(folder, 'book.xlsx'))
  const call = (path: string) =>
    command.run(['call', 'get_file_info', JSON.stringify({ path }), '-C', folder])
  expect((await call('missing.xlsx')).code).toBe(3)
  expect(command.kept()).toEqual([])
  const map = await call('book.xlsx')
  expect(map.code, map.stderr).toBe(0)
  expect(command.kept()).toEqual(
    ['call', 'engine', 'engine-thread'].map(role => `${process.version}-${process.arch}-${role}`),
  )
  expect((await call('book.xlsx')).code).toBe(0)
})

/** A copy of the built command, with its own home and state. */
function install(named: Readonly<Record<string, string | undefined>> = {}) {
  const folder = temporaryFolder()
  const home = temporaryFolder()
  const state = temporaryFolder()
  const beside = join(folder, 'dist/code')
  cpSync(join(root, 'apps/cli/bin'), join(folder, 'bin'), { recursive: true })
  mkdirSync(join(folder, 'dist'))
  cpSync(join(root, 'apps/cli/dist/filewright.cjs'), join(folder, 'dist/filewright.cjs'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  const env = {
    HOME: home,
    LOCALAPPDATA: home,
    XDG_CACHE_HOME: '',
    FILEWRIGHT_STATE: state,
    ...named,
  }
  const runCommand = (args: string[], flags: string[] = []) =>
    run(process.execPath, [...flags, join(folder, 'bin/filewright.cjs'), ...args], folder, env)
  return {
    folder,
    home,
    beside,
    run: runCommand,
    async showVersion() {
      const { code, stdout, stderr } = await runCommand(['--version'])
      expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
    },
    kept: () => readdirIfThere(beside),
    keptByUser: () =>
      readdirSync(home, { recursive: true, withFileTypes: true })
        .filter(entry => entry.isFile())
        .map(entry => join(entry.parentPath, entry.name)),
  }
}

function readdirIfThere(folder: string): string[] {
  return statSync(folder, { throwIfNoEntry: false }) ? readdirSync(folder).sort() : []
}
