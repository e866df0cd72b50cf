// node bench/run.mjs NAME [ARGUMENTS…]: runs bench/NAME.ts on the built packages, with as many threads as the command has
// (apps/cli/bin).
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const [name, ...args] = process.argv.slice(2)
const root = fileURLToPath(new URL('..', import.meta.url))
if (!name || !existsSync(join(root, 'bench', `${name}.ts`))) {
  console.error(
    'Which bench? One of apply, calls, docx, formulas, instances, log, mcp, pptx, scale/model, search, terminal, tree, walk, xlsx, as in: node bench/run.mjs apply',
  )
  process.exit(2)
}
const folder = join(root, 'node_modules/.cache/bench') // below the root, so that the packages are found
mkdirSync(folder, { recursive: true })
const file = join(folder, `${name}.mjs`)
const bundle = await rolldown({
  input: join(root, 'bench', `${name}.ts`),
  platform: 'node',
  external: /^[^./]/,
})
await bundle.write({ file, format: 'esm', sourcemap: 'inline' })
const { status } = spawnSync(process.execPath, ['--enable-source-maps', file, ...args], {
  cwd: root,
  stdio: 'inherit',
  env: { UV_THREADPOOL_SIZE: '32', ...process.env },
})
process.exit(status ?? 1)
