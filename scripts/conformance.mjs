#!/usr/bin/env node
// Writes docs/conformance.md from the requirements and the tests that cite them.
//   --check        writes nothing; exits 1 when it is stale
//   --update-gaps  first removes verified requirements from test/known-gaps.ts and adds the others
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { runnerImport } from 'vite'

const root = fileURLToPath(new URL('..', import.meta.url))
const document = `${root}docs/conformance.md`
const options = process.argv.slice(2)
const unknown = options.find(option => !['--check', '--update-gaps'].includes(option))

if (unknown) {
  end(2, `Unknown option ${unknown}: the options are --check and --update-gaps.`)
} else {
  if (options.includes('--update-gaps')) {
    writeFileSync(`${root}test/known-gaps.ts`, (await conformance()).knownGaps)
  }
  const { faults, markdown } = await conformance()
  if (!options.includes('--check')) writeFileSync(document, markdown)
  if (faults.length > 0) end(1, faults.join('\n'))
  else if (readIfThere(document) !== markdown) {
    end(1, 'docs/conformance.md is stale: run node scripts/conformance.mjs.')
  }
}

/** Plain Node cannot read the TypeScript sources on Node 20; vite can. */
async function conformance() {
  const { module } = await runnerImport(`${root}test/conformance/conformance.ts`, {
    configFile: false,
    logLevel: 'error',
    root,
  })
  return module.readConformance(root)
}

function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function end(code, sentence) {
  console.error(sentence)
  process.exitCode = code
}
