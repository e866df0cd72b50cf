#!/usr/bin/env node
// Writes docs/tools.md from the tool declarations.
//   --check  writes nothing; exits 1 when it is stale
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { runnerImport } from 'vite'

const root = fileURLToPath(new URL('..', import.meta.url))
const document = `${root}docs/tools.md`
const options = process.argv.slice(2)
const unknown = options.find(option => option !== '--check')

if (unknown) {
  end(2, `Unknown option ${unknown}: the option is --check.`)
} else {
  const { catalog, toMarkdown } = await tools()
  const markdown = toMarkdown(catalog)
  if (!options.includes('--check')) writeFileSync(document, markdown)
  else if (readIfThere(document) !== markdown)
    end(1, 'docs/tools.md is stale: run node scripts/generate.mjs.')
}

/** Plain Node cannot read the TypeScript sources on Node 20; vite can. */
async function tools() {
  const conditions = ['filewright-source']
  const { module } = await runnerImport(`${root}packages/tools/src/index.ts`, {
    configFile: false,
    logLevel: 'error',
    root,
    resolve: { conditions },
    ssr: { resolve: { conditions } },
  })
  return module
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
