// Everything a change must pass, in the order that finds a fault soonest.
import { spawnSync } from 'node:child_process'
import { root } from './ensure/paths.mjs'

const node = process.execPath
const steps = [
  ['Ready', [node, 'scripts/ensure.mjs', 'test']],
  ['Types', [node, 'node_modules/typescript/bin/tsc', '-b']],
  ['Types of tests', [node, 'node_modules/typescript/bin/tsc', '-p', 'test/tsconfig.json']],
  [
    'Format and lint',
    [node, 'node_modules/@biomejs/biome/bin/biome', 'ci', '--error-on-warnings', '--colors=off'],
  ],
  ['Unused code', [node, 'node_modules/knip/bin/knip.js']],
  ['Generated files', [node, 'scripts/generate.mjs', '--check']],
  ['Tests', [node, 'scripts/test.mjs']],
]

for (const [title, [program, ...args]] of steps) {
  console.error(`\n── ${title}`)
  const started = performance.now()
  const { status, signal } = spawnSync(program, args, { cwd: root, stdio: 'inherit' })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  if (status !== 0) {
    console.error(`${title}: failed after ${seconds} s with ${status ?? signal}.`)
    process.exit(1)
  }
  console.error(`${title}: ${seconds} s`)
}
