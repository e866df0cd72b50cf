import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/**
 * The review as one file without a request of its own: other hosts show it in a frame that may load nothing
 * (decision 350).
 */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), intoOneFile()],
  resolve: { conditions: ['filewright-source', 'browser', 'import', 'module', 'default'] },
  build: {
    outDir: 'dist',
    emptyOutDir: false,
    copyPublicDir: false,
    cssCodeSplit: false,
    modulePreload: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 4000,
    rolldownOptions: {
      input: { 'review-app': join(import.meta.dirname, 'review-app.html') },
      output: { codeSplitting: false },
    },
  },
})

function intoOneFile(): Plugin {
  return {
    name: 'filewright:into-one-file',
    enforce: 'post',
    generateBundle(_, bundle) {
      const page = bundle['review-app.html']
      if (page?.type !== 'asset') return this.error('The page is not there.')
      let code = ''
      let styles = ''
      for (const [name, part] of Object.entries(bundle)) {
        if (part === page) continue
        if (part.type === 'chunk') code += part.code
        else if (name.endsWith('.css')) styles += String(part.source)
        else return this.error(`${name} would have to be loaded.`)
        delete bundle[name]
      }
      const html = String(page.source)
        .replace(/<script type="module"[^>]*><\/script>\s*/, '')
        .replace(/<link rel="stylesheet"[^>]*>\s*/, '')
      page.source = html
        .replace('</head>', () => `<style>${styles}</style></head>`)
        .replace('</body>', () => `<script type="module">${safe(code)}</script></body>`)
    },
  }
}

/** A script ends at the first of its end marks, also inside a string. */
function safe(code: string): string {
  return code.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--')
}
