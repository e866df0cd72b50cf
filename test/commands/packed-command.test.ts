import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { version } from '@filewright/host'
import { expect, test } from 'vitest'
import { makePdf } from '../../packages/documents/src/formats/pdf/testing/make-pdf.contract.ts'
import { verifies } from '../verifies.ts'
import { root, run, runNode, temporaryFolder } from './checkout.ts'

const sentence =
  '82b182ea82cd93fa967b8cea82cc95b68fcd82c582b78142837483408343838b82cc95b68e9a8352815b836882f092b282d782e982bd82df82c981418fad82b592b782a295b682f08f9182a282c482a282dc82b781420a'
const shiftJis = sentence.repeat(4)
const scenarios = 'packages/documents/src/formats/xlsx/scenarios'
const images = 'packages/tools/src/read_file/scenarios'
const workbook = join(root, scenarios, '001_set_cells_writes_typed_values/input/book.xlsx')

verifies(
  'CONTRACT §9 bin of apps/cli',
  'the packed command installs outside of the checkout and reads a folder there',
  async () => {
    const { filewright, files } = await installPacked()
    expect(files.filter(path => !path.startsWith('dist/web/'))).toEqual([
      'bin/code-cache.cjs',
      'bin/filewright.cjs',
      'dist/acp-sdk.cjs',
      'dist/filewright.cjs',
      'dist/formula-evaluator.cjs',
      'dist/mcp-sdk.cjs',
      'package.json',
    ])
    const shown = await run(filewright, ['--version'], root)
    expect(shown).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' })

    // A legacy encoding needs the packages that npm installs next to the bundle: the database and the tables.
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'legacy.txt'), Buffer.from(shiftJis, 'hex'))
    const call = (tool: string, path: string) =>
      run(filewright, ['call', tool, JSON.stringify({ path }), '-C', folder], folder, {
        FILEWRIGHT_STATE: temporaryFolder(),
      })
    const read = await call('read_file', 'legacy.txt')
    expect(read.code, read.stderr).toBe(0)
    expect(read.stdout).toContain('日本語の文章')

    // A workbook needs the engine's child and its thread.
    cpSync(workbook, join(folder, 'book.xlsx'))
    const map = await call('get_file_info', 'book.xlsx')
    expect(map.code, map.stderr).toBe(0)
    expect(map.stdout).toContain('"format":"xlsx"')

    // A formula's value needs the thread that computes formulas, a file of its own.
    const sum = {
      op: 'set_cells',
      sheet: 'Sales',
      cells: [{ cell: 'H1', value: { formula: '6*7' } }],
    }
    const edit = JSON.stringify({ path: 'book.xlsx', operations: [sum] })
    const set = ['call', 'xlsx_operations', edit, '-C', folder]
    const written = await run(filewright, set, folder, { FILEWRIGHT_STATE: temporaryFolder() })
    expect(written.code, written.stderr).toBe(0)
    expect(written.stdout).toContain('"value":42')

    // A PDF and a picture need their libraries.
    writeFileSync(join(folder, 'page.pdf'), makePdf([{ texts: [{ x: 72, y: 72, text: 'Hello' }] }]))
    cpSync(
      join(root, images, '042_reads_kind_and_size_of_an_image/input/dot.png'),
      join(folder, 'dot.png'),
    )
    const page = await call('read_file', 'page.pdf')
    expect(page.code, page.stderr).toBe(0)
    expect(page.stdout).toContain('Hello')
    const picture = await call('read_file', 'dot.png')
    expect(picture.code, picture.stderr).toBe(0)
    expect(picture.stdout).toContain('"pictures":[{')

    // Definitions need the grammars, which npm installs too.
    writeFileSync(join(folder, 'a.cs'), 'class A\n{\n    void Ship() { }\n}\n')
    const named = ['call', 'workspace_find_symbol', '{"name":"Ship"}', '-C', folder]
    const found = await run(filewright, named, folder, { FILEWRIGHT_STATE: temporaryFolder() })
    expect(found.code, found.stderr).toBe(0)
    expect(found.stdout).toContain('"chunkPath":"a.cs#method:Ship"')
  },
)

verifies('CONTRACT §9 npx after build', 'npx runs the built command in the checkout', async () => {
  const { code, stdout } = await run('npx', ['--no', '--', 'filewright', '--version'], root)
  expect({ code, stdout }).toEqual({ code: 0, stdout: `${version}\n` })
})

async function installPacked(): Promise<{ filewright: string; files: string[] }> {
  const folder = temporaryFolder()
  const pack = ['pack', '-w', 'filewright', '--ignore-scripts', '--json']
  const packed = await run('npm', [...pack, '--pack-destination', folder], root)
  expect(packed.code, packed.stderr).toBe(0)
  const [{ filename, files }] = JSON.parse(packed.stdout)
  // No network: its dependencies come from the checkout, as files to pack and install.
  const offline = ['--offline', '--install-links', '--ignore-scripts', '--no-audit', '--no-fund']
  const given = [join(folder, filename), ...installedFor('apps/cli')]
  const installed = await run('npm', ['install', '--prefix', folder, ...offline, ...given], folder)
  expect(installed.code, installed.stderr).toBe(0)
  const command = process.platform === 'win32' ? 'filewright.cmd' : 'filewright'
  return {
    filewright: join(folder, 'node_modules/.bin', command),
    files: files.map(({ path }: { path: string }) => path),
  }
}

/** The folders of all packages that a package needs to run, and of the optional ones that fit this machine. */
function installedFor(packageFolder: string): string[] {
  const found = new Set<string>()
  const add = (folder: string) => {
    const text = readFileSync(join(folder, 'package.json'), 'utf8')
    const { dependencies = {}, optionalDependencies = {} } = JSON.parse(text)
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const own = findInstalled(name, folder)
      if (!own && !(name in optionalDependencies)) throw new Error(`${name} is not installed`)
      if (!own || found.has(own)) continue
      found.add(own)
      add(own)
    }
  }
  add(join(root, packageFolder))
  return [...found]
}

function findInstalled(name: string, from: string): string | undefined {
  const folder = join(from, 'node_modules', name)
  if (existsSync(folder)) return folder
  return from === dirname(from) ? undefined : findInstalled(name, dirname(from))
}

test('a command that is not built says what to run', async () => {
  const folder = temporaryFolder()
  cpSync(join(root, 'apps/cli/bin'), join(folder, 'bin'), { recursive: true })
  const { code, stdout, stderr } = await runNode(['bin/filewright.cjs', '--version'], folder)
  expect(stderr).toBe(
    'filewright is not built yet: run "npm run build" in the checkout, then try again.\n',
  )
  expect({ code, stdout }).toEqual({ code: 8, stdout: '' })
})
