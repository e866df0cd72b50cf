import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../commands/checkout.ts'

const source = join(root, 'apps/web/src')

/** What belongs into tokens.css. */
const OWN_LOOKS = [
  { what: 'a colour', found: /#[\da-f]{3,8}\b|\b(?:rgb|hsl|oklch|lab)a?\(/i },
  { what: 'a value in brackets', found: /(?<=["'` ])[\w:-]+-\[[^\]]+\]/ },
  {
    what: 'a size of the default palette',
    found: /\b(?:text|bg|border)-(?:red|green|blue|gray|slate|zinc|white|black)\b/,
  },
]
const IN_STYLES = { what: 'a length', found: /:\s[^;{]*?\b\d*\.?\d+(?:px|rem)\b/ }

/** Geometry that depends on what is drawn, and colours of the file that is shown. */
const DRAWN = new Set(['grid/use-sheet.ts'])

test('colours, type and distances come from tokens.css alone', () => {
  const faults = files()
    .filter(path => path !== 'tokens.css' && !path.endsWith('.test.ts') && !DRAWN.has(path))
    .flatMap(path => faultsIn(path, readFileSync(join(source, path), 'utf8')))
  expect(faults).toEqual([])
})

test('a colour, a bracketed value or a length elsewhere is found', () => {
  expect(faultsIn('a.tsx', '<p className="text-[13px]" />')).toHaveLength(1)
  expect(faultsIn('a.tsx', 'const red = "#ff0000"')).toHaveLength(1)
  expect(faultsIn('a.tsx', '<p className="bg-red-500" />')).toHaveLength(1)
  expect(faultsIn('a.css', 'a { margin: 4px; }')).toHaveLength(1)
  expect(faultsIn('a.tsx', '<p className="text-sm bg-card" />')).toEqual([])
})

function files(): string[] {
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .map(path => path.replaceAll('\\', '/'))
    .filter(path => /\.(tsx?|css)$/.test(path))
}

function faultsIn(path: string, text: string): string[] {
  const rules = path.endsWith('.css') ? [...OWN_LOOKS, IN_STYLES] : OWN_LOOKS
  return text
    .replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
    .split('\n')
    .flatMap((line, index) =>
      rules
        .filter(({ found }) => found.test(line))
        .map(({ what }) => `${path}:${index + 1} has ${what}: ${line.trim()}`),
    )
}
