import type { Source } from './sources.ts'

const walk = 'packages/documents/src/formats/xlsx/places/units.ts'
const imports = /import\s*\{([^}]*)\}\s*from\s*'@borgar\/fx\/xlsx'/

/** References of a formula found by other means than its units; a tree for computing is none. */
export function formulaWalkFaults(sources: Source[]): string[] {
  return sources.flatMap(({ path, code }) => {
    const names = imports.exec(code)?.[1] ?? ''
    const isTree = /\bparse\b/.test(names) && !/\bstringifyTokens\b/.test(names)
    if (names === '' || isTree || path === walk) return []
    return [
      `${path} walks the tokens of formulas: take the units of places/units.ts (ARCHITECTURE §3).`,
    ]
  })
}
