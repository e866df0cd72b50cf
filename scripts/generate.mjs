// Writes the files that derive from the code; with --check writes nothing and fails on a stale one.
import { readFileSync, writeFileSync } from 'node:fs'
import { runnerImport } from 'vite'
import { root } from './ensure/paths.mjs'

const conditions = ['filewright-source', 'node', 'import', 'module', 'default']
const { module } = await runnerImport(`${root}test/architecture/generated.ts`, {
  configFile: false,
  logLevel: 'error',
  root,
  resolve: { conditions },
  ssr: { resolve: { conditions }, noExternal: [/^@filewright\//] },
})

if (process.argv.includes('--check')) {
  const faults = module.generatedFaults(root)
  for (const sentence of faults) console.error(sentence)
  process.exitCode = faults.length > 0 ? 1 : 0
} else {
  for (const [path, content] of Object.entries(module.generatedFiles(root))) {
    if (contentOf(root + path) === content) continue
    writeFileSync(root + path, content)
    console.error(`Wrote ${path}`)
  }
}

function contentOf(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
