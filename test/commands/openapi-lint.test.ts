import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { toOpenApi } from '../../packages/server/src/http/openapi.ts'
import { run, temporaryFolder } from './checkout.ts'

/** Fetched into a folder of its own: too large for a dependency that one check needs. */
const LINTER = '@redocly/cli@2.77.0'

test.skipIf(process.env.FILEWRIGHT_FULL !== '1')(
  'a linter that we did not write finds nothing in the OpenAPI document',
  async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'package.json'), '{"private":true}')
    writeFileSync(join(folder, 'openapi.json'), JSON.stringify(toOpenApi('1.2.3')))
    const quiet = ['--ignore-scripts', '--no-audit', '--no-fund']
    const installed = await run('npm', ['install', ...quiet, LINTER], folder)
    expect(installed.code, installed.stderr).toBe(0)
    const lint = ['lint', '--extends=recommended-strict', '--format=json', 'openapi.json']
    const env = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
    const linted = await run(join(folder, 'node_modules/.bin/redocly'), lint, folder, env)
    const { totals, problems } = JSON.parse(linted.stdout.slice(linted.stdout.indexOf('{')))
    expect(problems).toEqual([])
    expect(totals).toMatchObject({ errors: 0, warnings: 0 })
  },
)
