// node bench/run.mjs NAME [ARGUMENTS…]: runs bench/NAME.ts on the built packages, with as many threads as the command has
// (apps/cli/bin).
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const [name, ...args] = process.argv.slice(2)
if (!name) throw new Error('Which bench? Try: node bench/run.mjs apply')
const root = fileURLToPath(new URL('..', import.meta.url))
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
