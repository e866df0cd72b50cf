import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss()],
  resolve: { conditions: ['filewright-source', 'browser', 'import', 'module', 'default'] },
  build: { outDir: 'dist', emptyOutDir: true, reportCompressedSize: false },
})
