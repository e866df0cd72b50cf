import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss()],
  resolve: { conditions: ['filewright-source', 'browser', 'import', 'module', 'default'] },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 4000,
    // the frame draws documents in a place of its own: see docs/decisions/0281
    rolldownOptions: {
      input: {
        page: join(import.meta.dirname, 'index.html'),
        frame: join(import.meta.dirname, 'frame.html'),
      },
    },
  },
})
