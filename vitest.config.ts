import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { conditions: ['filewright-source'] },
  ssr: { resolve: { conditions: ['filewright-source'] } },
  test: {
    include: ['packages/**/*.test.ts', 'apps/**/*.test.{ts,tsx}', 'test/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    pool: 'forks',
    testTimeout: 30_000,
  },
})
