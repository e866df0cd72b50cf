import type { LiveNode, LiveTree } from '../../../opc/index.ts'
import type { ListDefinition, Numbering } from '../parts/numbering.ts'
import type { StyleSheet } from '../parts/styles.ts'
import { numberOf, valOf } from '../parts/values.ts'

/** The list that a paragraph belongs to. */
export interface ListPlace {
  readonly list: ListDefinition
  readonly level: number
}

/** The list of a paragraph, by its own properties or its style's. */
export function listPlaceOf(
  tree: LiveTree,
  paragraph: LiveNode,
  styles: StyleSheet,
  numbering: Numbering,
): ListPlace | undefined {
  if (numbering.lists.size === 0) return undefined
  const properties = paragraph.child('w:pPr')
  const own = properties?.child('w:numPr')
  const style = valOf(tree, properties, 'w:pStyle')
  const ofStyle = styles.paragraphProperty(style, 'w:numPr')
  const styleTree = styles.tree ?? tree
  const numId = valOf(tree, own, 'w:numId') ?? (ofStyle && valOf(styleTree, ofStyle, 'w:numId'))
  const list = numId === undefined ? undefined : numbering.lists.get(numId)
  if (!list) return undefined
  const level =
    numberOf(valOf(tree, own, 'w:ilvl')) ??
    levelOfStyle(list, style) ??
    numberOf(ofStyle && valOf(styleTree, ofStyle, 'w:ilvl')) ??
    0
  return level >= 0 && level < list.levels.length ? { list, level } : undefined
}

function levelOfStyle({ levels }: ListDefinition, style: string | undefined): number | undefined {
  const found = style === undefined ? -1 : levels.findIndex(level => level?.style === style)
  return found < 0 ? undefined : found
}

/** Characters of one level; a file could ask for a page of them before each paragraph. */
const MAX_LABEL = 60

/** Counts the paragraphs of lists in document order. */
export class LabelCounter {
  /** By abstract list: the count at each level. */
  readonly #counts = new Map<string, (number | undefined)[]>()
  readonly #started = new Set<string>()
  /** By abstract list: the full label last given at each level. */
  readonly #labels = new Map<string, (string | undefined)[]>()

  /** The label as a person would cite it: `4.2(b)`; `•` for a bullet. */
  next({ list, level }: ListPlace): string {
    const counts = this.#of(this.#counts, list.abstractId)
    const labels = this.#of(this.#labels, list.abstractId)
    this.#start(list, level, counts)
    counts[level] = (counts[level] ?? (list.levels[level]?.start ?? 1) - 1) + 1
    for (let deeper = level + 1; deeper < counts.length; deeper++) {
      const restart = list.levels[deeper]?.restart
      if (restart !== 0 && (restart === undefined || level < restart)) counts[deeper] = undefined
    }
    const label = this.#label(list, level, counts, labels)
    labels[level] = label
    labels.fill(undefined, level + 1)
    return label
  }

  #start({ numId, starts }: ListDefinition, level: number, counts: (number | undefined)[]): void {
    const start = starts.get(level)
    const key = `${numId} ${level}`
    if (start === undefined || this.#started.has(key)) return
    this.#started.add(key)
    counts[level] = start - 1
  }

  #label(
    { levels }: ListDefinition,
    level: number,
    counts: readonly (number | undefined)[],
    labels: readonly (string | undefined)[],
  ): string {
    const own = levels[level]
    if (!own || own.format === 'none') return ''
    if (own.format === 'bullet') return '•'
    const text = own.text.slice(0, MAX_LABEL).replace(/%([1-9])/g, (_, digit: string) => {
      const at = Number(digit) - 1
      const format = own.isLegal ? 'decimal' : (levels[at]?.format ?? 'decimal')
      return formatCount(counts[at] ?? levels[at]?.start ?? 1, format)
    })
    const isAlone = level > 0 && !new RegExp(`%[1-${level}]`).test(own.text)
    const outer = isAlone ? [...labels.slice(0, level)].reverse().find(each => each) : undefined
    const plain = text.trim().replace(/[.:]$/, '')
    return outer && outer !== '•' ? `${outer}${joint(outer, plain)}${plain}` : plain
  }

  #of<Value>(all: Map<string, Value[]>, key: string): Value[] {
    const known = all.get(key) ?? new Array<Value>(9)
    all.set(key, known)
    return known
  }
}

/** `4.2` and `(b)` need nothing between them; `4` and `2` a dot. */
function joint(outer: string, own: string): string {
  return /[\p{L}\p{N}]$/u.test(outer) && /^[\p{L}\p{N}]/u.test(own) ? '.' : ''
}

const ROMAN: readonly (readonly [number, string])[] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
]

function formatCount(count: number, format: string): string {
  switch (format) {
    case 'lowerLetter':
      return letters(count)
    case 'upperLetter':
      return letters(count).toUpperCase()
    case 'lowerRoman':
      return roman(count)
    case 'upperRoman':
      return roman(count).toUpperCase()
    case 'decimalZero':
      return String(count).padStart(2, '0')
    case 'ordinal':
      return `${count}${ordinalEnding(count)}`
    default:
      return String(count)
  }
}

/** a to z, then aa to zz, as Word counts. */
function letters(count: number): string {
  if (count < 1 || count > 780) return String(count)
  const letter = String.fromCharCode(97 + ((count - 1) % 26))
  return letter.repeat(Math.floor((count - 1) / 26) + 1)
}

function roman(count: number): string {
  if (count < 1 || count > 32_767) return String(count)
  let left = count
  let text = ''
  for (const [value, digits] of ROMAN)
    while (left >= value) {
      text += digits
      left -= value
    }
  return text
}

function ordinalEnding(count: number): string {
  const tens = count % 100
  if (tens >= 11 && tens <= 13) return 'th'
  return ['th', 'st', 'nd', 'rd'][count % 10] ?? 'th'
}
