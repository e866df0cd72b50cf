import { readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { defineConfig } from 'vite'

const manifest = JSON.parse(readFileSync(new URL('./package.json', import.meta.url), 'utf8'))

const conditions = ['filewright-source', 'node', 'import', 'module', 'default']

/** What npm installs beside the bundle: native packages and files that code loads by path. */
const installed = Object.keys(manifest.dependencies)

/**
 * The command as one entry and the parts that it loads when it needs them. Everything but
 * `dependencies` is bundled, because a packed command with workspace dependencies does not install
 * outside this checkout.
 */
export default defineConfig({
  root: import.meta.dirname,
  resolve: { conditions },
  ssr: { noExternal: true, external: installed, resolve: { conditions } },
  build: {
    ssr: 'src/main.ts',
    target: 'node20.19',
    outDir: 'dist',
    // The page stands beside the bundle, and a server that runs may still load a part of the last one.
    emptyOutDir: false,
    copyPublicDir: false,
    // Measured: it would save nothing that a person notices, and cost them readable stack traces.
    minify: false,
    reportCompressedSize: false,
    rolldownOptions: {
      external: [...builtinModules, ...installed],
      output: {
        format: 'es',
        entryFileNames: 'filewright.mjs',
        // In the same folder, so that every part finds what lies beside the bundle.
        chunkFileNames: '[name]-[hash].mjs',
      },
    },
  },
})
