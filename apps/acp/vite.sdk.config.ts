import { builtinModules } from 'node:module'
import { defineConfig } from 'vite'

/**
 * The library that speaks the protocol, as one file next to the command: nothing of it is installed, and only `acp`
 * loads it (decision 360).
 */
export default defineConfig({
  root: import.meta.dirname,
  resolve: { conditions: ['node', 'import', 'module', 'default'] },
  ssr: { noExternal: true },
  build: {
    ssr: 'src/protocol/sdk-main.ts',
    target: 'node20.19',
    outDir: 'dist',
    emptyOutDir: false,
    copyPublicDir: false,
    minify: true,
    reportCompressedSize: false,
    rolldownOptions: {
      external: [...builtinModules, /^node:/],
      output: {
        format: 'cjs',
        entryFileNames: 'acp-sdk.cjs',
        codeSplitting: false,
        comments: { legal: true, annotation: false, jsdoc: false },
      },
    },
  },
})
