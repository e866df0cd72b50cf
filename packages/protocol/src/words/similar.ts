import { type DocPath, type RelativePath, toDocPath } from './doc-path.ts'

/** Names that a mistyped one may mean, nearest first. They are only offered: nothing acts on similarity. */
export function similarNames(wanted: string, names: readonly string[], most = 5): string[] {
  const folded = fold(wanted)
  const ranked = names.flatMap(name => {
    const distance = distanceOf(folded, fold(name))
    return distance === undefined ? [] : [{ name, distance }]
  })
  return ranked
    .sort((a, b) => a.distance - b.distance)
    .slice(0, most)
    .map(({ name }) => name)
}

/** Tools that a wrong name may mean: `write_text_file` has every word of `write_file`, though it is no typo. */
export function similarTools(wanted: string, names: readonly string[], most = 3): string[] {
  const near = similarNames(wanted, names, most)
  const words = wordsOf(wanted)
  const wider = names.filter(
    name => !near.includes(name) && words.every(word => wordsOf(name).includes(word)),
  )
  return [...near, ...(words.length > 1 ? wider : [])].slice(0, most)
}

const LONGEST_TOOL_NAME = 64 // CONTRACT §4

/** A wrong name as a message quotes it: what is longer than any tool's is not sent back whole. */
export function quotedTool(name: string): string {
  const isLong = name.length > LONGEST_TOOL_NAME
  return JSON.stringify(isLong ? `${name.slice(0, LONGEST_TOOL_NAME)}…` : name)
}

function wordsOf(name: string): string[] {
  const parted = name.replace(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase()
  return parted.split(/[^a-z\d]+/).filter(word => word !== '')
}

/** The hint about files that a missing path may mean; '' for none. */
export function hintAtSimilar(path: RelativePath | DocPath, similar: readonly string[]): string {
  const folder = `${toDocPath(path)}/`
  const inside = similar.filter(file => toDocPath(file as RelativePath).startsWith(folder))
  if (inside.length > 0) return `It is a folder, with ${inside.join(', ')}.`
  return similar.length > 0 ? `Similar: ${similar.join(', ')}.` : ''
}

/** `lineStart` and `line_start`: one name in two spellings. */
export function isSameName(a: string, b: string): boolean {
  return fold(a) === fold(b)
}

/** The same letters, ignoring case and the signs between them: `lineStart`, `line_start`. */
function fold(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

const CONTAINED = 3 // ranks below a typo of one or two letters

function distanceOf(wanted: string, name: string): number | undefined {
  if (wanted === name) return 0
  const bound = Math.max(1, Math.floor(Math.max(wanted.length, name.length) / 4))
  const distance = editDistance(wanted, name, bound)
  if (distance !== undefined) return distance
  const isContained = wanted.length > 2 && (name.includes(wanted) || wanted.includes(name))
  return isContained && name.length > 2 ? CONTAINED + name.length : undefined
}

/** Levenshtein distance, or undefined beyond the bound. */
function editDistance(a: string, b: string, bound: number): number | undefined {
  if (Math.abs(a.length - b.length) > bound) return undefined
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1))
    }
    row = next
    if (Math.min(...row) > bound) return undefined
  }
  const distance = row[b.length]!
  return distance <= bound ? distance : undefined
}
