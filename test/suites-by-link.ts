import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Every suite on `embedded()` runs over the direct link, as in the command that owns the state, and again over HTTP, as
 * `attach` and the page reach a server. `npm test` skips the second run of these and uses HTTP without a port;
 * `test:full` runs all of them over a real one.
 */
export const ONCE_IN_A_QUICK_RUN: Readonly<Record<string, string>> = {
  'test/any-arguments.test.ts': 'arguments are refused before anything is asked of a client',
  'test/attacks/long-arguments.test.ts': 'the same, by count',
  'test/drafts/partial-acceptance.test.ts':
    'hundreds of drawn drafts, which are folded in the client',
  'test/embedded.test.ts': 'it names its links itself',
  'test/drafts/undo-chains.test.ts': 'hundreds of drawn undos, which are decided in the client',
  'test/finding/table-query.test.ts': 'queries that are stopped after 10 s, in the engine',
  'test/loop/translate-workbook.test.ts': 'a long run of the same few calls',
  'test/specs/recovery.test.ts': 'kills while files are written, which the client does alone',
  'test/spreadsheets/hostile.test.ts': 'hostile workbooks, which the engine refuses',
}

/** By path. */
export function suitesOverHttp(root: string, { isFull }: { isFull: boolean }): string[] {
  return readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.test.ts'))
    .map(path => `test/${path.replaceAll('\\', '/')}`)
    .filter(path =>
      /from '[./]+(embedded|scenario)\.ts'/.test(readFileSync(join(root, path), 'utf8')),
    )
    .filter(path => isFull || !(path in ONCE_IN_A_QUICK_RUN))
    .sort()
}
