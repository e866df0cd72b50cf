import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runOutputJsonSchema } from '@filewright/protocol'
import { catalog, toMarkdown } from '@filewright/tools'
import { readConformance } from '../conformance/conformance.ts'
import { toClientTypes } from './client-types.ts'
import { toMetricsPage } from './metrics-page.ts'

/** Path below the root → the content that the code generates for it. */
type GeneratedFiles = Record<string, string>

export function generatedFiles(root: string): GeneratedFiles {
  return {
    'docs/conformance.md': readConformance(root).markdown,
    'docs/metrics.md': toMetricsPage(),
    'docs/run-output.schema.json': `${JSON.stringify(runOutputJsonSchema(), null, 2)}\n`,
    'docs/tools.md': toMarkdown(catalog),
    'packages/client-sdk/src/routes.golden.ts': toClientTypes(),
  }
}

export function generatedFaults(root: string): string[] {
  return Object.entries(generatedFiles(root))
    .filter(([path, content]) => contentOf(join(root, path)) !== content)
    .map(
      ([path]) => `${path} is stale: run node scripts/generate.mjs, as it derives from the code.`,
    )
}

function contentOf(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}
