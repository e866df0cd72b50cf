import { builtinModules } from 'node:module'
import { defineConfig, type Plugin } from 'vite'

/**
 * The thread that computes formulas, with the library in it: one file, so that nothing of it is installed next to the
 * command. Loaded with the first formula to compute.
 */
export default defineConfig({
  root: import.meta.dirname,
  resolve: { conditions: ['filewright-source', 'import', 'module', 'default'] },
  plugins: [plainFields()],
  ssr: { noExternal: true },
  build: {
    ssr: 'src/formulas/compute-main.ts',
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
        entryFileNames: 'formula-evaluator.cjs',
        codeSplitting: false,
        comments: { legal: true, annotation: false, jsdoc: false },
      },
    },
  },
})

/** The library is compiled for engines without fields: each of its many small objects defines its properties one by one. */
function plainFields(): Plugin {
  const definition =
    /function _defineProperty\(e, r, t\) \{\s*return \(r = toPropertyKey\(r\)\) in e \? Object\.defineProperty\(e, r, \{[^}]*\}\) : e\[r\] = t, e;\s*\}/g
  return {
    name: 'filewright:plain-fields',
    transform(code, id) {
      if (!id.includes('@univerjs')) return undefined
      return code.replace(definition, 'function _defineProperty(e, r, t) { e[r] = t; return e; }')
    },
  }
}
