import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { conditions: ['filewright-source'] },
  ssr: { resolve: { conditions: ['filewright-source'] } },
  test: {
    include: ['packages/**/*.test.ts', 'apps/**/*.test.{ts,tsx}', 'test/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    pool: 'forks',
    // One for each core: by default vitest leaves one free, which on two cores is half the speed.
    maxWorkers: availableParallelism(),
    testTimeout: 30_000,
  },
})
