import type { Plugin } from 'vite'
import { oneFile } from '../../scripts/ensure/one-file.mjs'

/** The thread that computes formulas, with the library in it. Loaded with the first formula to compute. */
export default oneFile({
  root: import.meta.dirname,
  entry: 'src/formulas/compute-main.ts',
  file: 'formula-evaluator.cjs',
  conditions: ['filewright-source'],
  plugins: [plainFields()],
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
