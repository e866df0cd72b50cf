import { builtinModules } from 'node:module'

/**
 * How vite bundles a library that lies next to the command as one file: nothing of it is installed.
 *
 * @param {{ root: string, entry: string, file: string, conditions?: string[], plugins?: import('vite').Plugin[] }} what
 * @returns {import('vite').UserConfig}
 */
export function oneFile({ root, entry, file, conditions = ['node'], plugins = [] }) {
  return {
    root,
    resolve: { conditions: [...conditions, 'import', 'module', 'default'] },
    plugins,
    ssr: { noExternal: true },
    build: {
      ssr: entry,
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
          entryFileNames: file,
          codeSplitting: false,
          comments: { legal: true, annotation: false, jsdoc: false },
        },
      },
    },
  }
}
