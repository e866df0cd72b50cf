import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { suitesOverHttp } from './test/suites-by-link.ts'
import { suitesWithMocks } from './test/suites-with-mocks.ts'

const root = fileURLToPath(new URL('.', import.meta.url))
const isFull = process.env.FILEWRIGHT_FULL === '1'
const seeded = fileURLToPath(new URL('test/seeded-properties.ts', import.meta.url))

/** A test that runs this long has hung. A busy machine may take ten times as long as a quiet one, and a high limit costs nothing. */
const HANGS_MS = 300_000

/** Packages without effects. */
const PURE = ['documents', 'loop', 'protocol', 'tools'].map(name => `packages/${name}/**/*.test.ts`)

/** They replace a module for every importer, which must not have been loaded before. */
const ALONE = suitesWithMocks(root)

export default defineConfig({
  resolve: { conditions: ['filewright-source'] },
  ssr: { resolve: { conditions: ['filewright-source'] } },
  plugins: [
    {
      name: 'seeded-properties',
      enforce: 'pre',
      resolveId: (id, importer) =>
        id === 'fast-check' && importer !== seeded ? seeded : undefined,
    },
  ],
  test: {
    exclude: ['**/node_modules/**', '**/dist/**'],
    projects: [
      {
        extends: true,
        test: {
          name: 'pure',
          include: PURE,
        },
      },
      {
        extends: true,
        test: { name: 'alone', include: ALONE, isolate: true },
      },
      {
        extends: true,
        test: {
          name: 'direct',
          include: ['packages/**/*.test.ts', 'apps/**/*.test.{ts,tsx}', 'test/**/*.test.ts'],
          exclude: [...PURE, ...ALONE],
          provide: { link: 'direct' },
        },
      },
      {
        extends: true,
        test: {
          name: 'http',
          include: suitesOverHttp(root, { isFull }),
          provide: { link: isFull ? 'socket' : 'http' },
        },
      },
    ],
    pool: 'forks',
    // No state outlives a test, so the files of a project share its processes, and load each module once: half the processor
    // time of a suite over HTTP was imports.
    isolate: false,
    // One more than cores: 40 % of the time a worker waits for a process, a browser or a clock. No more than eight: a
    // container counts the cores of its machine, though it may use only two of them.
    maxWorkers: Math.min(8, availableParallelism() + 1),
    testTimeout: HANGS_MS,
    hookTimeout: HANGS_MS,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
