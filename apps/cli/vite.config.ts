import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { defineConfig, type Plugin } from 'vite'

const manifest = JSON.parse(readFileSync(new URL('./package.json', import.meta.url), 'utf8'))

const conditions = ['filewright-source', 'node', 'import', 'module', 'default']

/** Installed by npm next to the bundle: native packages and files that code loads by path. */
const installed = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })

/**
 * The command as one file. Everything but `dependencies` is bundled, because a packed command with
 * workspace dependencies does not install outside this checkout.
 */
export default defineConfig({
  root: import.meta.dirname,
  resolve: { conditions },
  plugins: [joinParts(), moveIntoPlace()],
  ssr: { noExternal: true, external: installed, resolve: { conditions } },
  build: {
    ssr: 'src/main.ts',
    target: 'node20.19',
    outDir: 'dist/new',
    emptyOutDir: true,
    copyPublicDir: false,
    // Measured: it would save nothing that a person notices, and cost them readable stack traces.
    minify: false,
    reportCompressedSize: false,
    rolldownOptions: {
      external: [...builtinModules, ...installed],
      output: {
        format: 'cjs',
        chunkFileNames: '[name].cjs',
        // An `import()` finds no loader in code that V8 took from its cache.
        dynamicImportInCjs: false,
        comments: { legal: true, annotation: false, jsdoc: false },
      },
    },
  },
})

/**
 * Joins the parts into one file, each a function that runs when it is first asked for: what a command does
 * not load is neither run nor, with a code cache, parsed. Begins with a digest, by which the cache knows it.
 */
function joinParts(): Plugin {
  return {
    name: 'filewright:join-parts',
    generateBundle(_, bundle) {
      let entry = ''
      const parts: string[] = []
      for (const [name, part] of Object.entries(bundle)) {
        if (part.type !== 'chunk') return this.error(`${name} cannot be joined: it is no code.`)
        if (part.code.includes('String.raw'))
          return this.error(`${name} would be changed: String.raw`)
        if (part.isEntry) entry = `./${name}`
        parts.push(`'./${name}'(exports, require, module) {\n${toAscii(part.code)}\n}`)
        delete bundle[name]
      }
      const source = joined(parts, entry)
      const digest = createHash('sha256').update(source).digest('hex')
      this.emitFile({
        type: 'asset',
        fileName: 'filewright.cjs',
        source: `// ${digest}\n${source}`,
      })
    },
  }
}

/** The command, the thread for formulas and the libraries for MCP and ACP beside it, and the page. */
const KEPT = new Set([
  'filewright.cjs',
  'formula-evaluator.cjs',
  'mcp-sdk.cjs',
  'acp-sdk.cjs',
  'web',
])

/**
 * When the file is whole, because a server that runs starts its engine from it. What earlier builds left is
 * removed, and the code that node kept of them; the page stays.
 */
function moveIntoPlace(): Plugin {
  const dist = join(import.meta.dirname, 'dist')
  return {
    name: 'filewright:move-into-place',
    writeBundle({ dir = '' }) {
      renameSync(join(dir, 'filewright.cjs'), join(dist, 'filewright.cjs'))
      for (const name of readdirSync(dist)) {
        if (!KEPT.has(name)) rmSync(join(dist, name), { recursive: true })
      }
    },
  }
}

function joined(parts: readonly string[], entry: string): string {
  return `(function (requireInstalled, __filename) {
'use strict'
const parts = {
${parts.join(',\n')}
}
const loaded = new Map()
function require(name) {
  if (!Object.hasOwn(parts, name)) return requireInstalled(name)
  let module = loaded.get(name)
  if (module === undefined) {
    module = { exports: {} }
    loaded.set(name, module)
    parts[name](module.exports, require, module)
  }
  return module.exports
}
return require('${entry}')
})
`
}

/** The same program in ASCII, so that Node need not decode it; an escape is valid wherever its character is. */
function toAscii(code: string): string {
  return code.replace(
    /[^\x00-\x7f]/g,
    unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
