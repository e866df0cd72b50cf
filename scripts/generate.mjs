// Writes the files that derive from the code; with --check writes nothing and fails on a stale one.
import { spawnSync } from 'node:child_process'
import { root } from './ensure/paths.mjs'

const { status } = spawnSync(
  process.execPath,
  ['scripts/conformance.mjs', ...process.argv.slice(2)],
  { cwd: root, stdio: 'inherit' },
)
process.exitCode = status ?? 1
