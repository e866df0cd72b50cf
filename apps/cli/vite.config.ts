import { readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { defineConfig } from 'vite'

const manifest = JSON.parse(readFileSync(new URL('./package.json', import.meta.url), 'utf8'))

/** What npm installs beside the bundle: native packages and files that code loads by path. */
const installed = Object.keys(manifest.dependencies)

/**
 * The command as one file. Everything but `dependencies` is bundled, because a packed command with
 * workspace dependencies does not install outside this checkout.
 */
export default defineConfig({
  root: import.meta.dirname,
  resolve: { conditions: ['filewright-source', 'node', 'import', 'module', 'default'] },
  ssr: {
    noExternal: true,
    external: installed,
    resolve: { conditions: ['filewright-source', 'node', 'import', 'module', 'default'] },
  },
  build: {
    ssr: 'src/main.ts',
    target: 'node20.19',
    outDir: 'dist',
    // The page and the declarations of tsc are kept beside the bundle.
    emptyOutDir: false,
    copyPublicDir: false,
    minify: false,
    reportCompressedSize: false,
    rolldownOptions: {
      external: [...builtinModules, ...installed],
      output: {
        format: 'es',
        entryFileNames: 'filewright.mjs',
        codeSplitting: false,
      },
    },
  },
})
