import type { LiveNode, LiveTree } from '../../../opc/index.ts'
import type { ListDefinition, Numbering } from '../parts/numbering.ts'
import type { StyleSheet } from '../parts/styles.ts'
import { numberOf, valOf } from '../parts/values.ts'
import { formatCount } from './number-formats.ts'

/** The list that a paragraph belongs to. */
export interface ListPlace {
  readonly list: ListDefinition
  readonly level: number
}

/**
 * The list of a paragraph. Its own properties, its style and those that the style is based on each may name a list, a level
 * or both; the nearest of each counts, so that a style can say its level alone. List 0 is none.
 */
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
  const numId = valOf(tree, own, 'w:numId') ?? styles.listNumber(style)
  const list = numId === undefined ? undefined : numbering.lists.get(numId)
  if (!list) return undefined
  const level = numberOf(valOf(tree, own, 'w:ilvl')) ?? levelOfStyle(list, style, styles)
  return level >= 0 && level < list.levels.length ? { list, level } : undefined
}

/** A level that names a style goes before the level that the style names (ECMA-376 part 1, §17.9.23). */
function levelOfStyle(
  { levels }: ListDefinition,
  id: string | undefined,
  styles: StyleSheet,
): number {
  for (const style of styles.chain(id)) {
    const linked = levels.findIndex(level => level?.style === style.id)
    if (linked >= 0) return linked
    const own = numberOf(styles.listProperty(style, 'w:ilvl'))
    if (own !== undefined) return own
  }
  return 0
}

/** Characters of one level; a file could ask for a page of them before each paragraph. */
const MAX_LABEL = 60

export interface Label {
  /** As a person would cite it: `4.2(b)`; `•` for a bullet. */
  readonly label: string
  /** As it is printed: `(b)`. */
  readonly printed: string
}

/** Counts the paragraphs of lists in document order. */
export class LabelCounter {
  /** By abstract list: the count at each level. */
  readonly #counts = new Map<string, (number | undefined)[]>()
  readonly #started = new Set<string>()
  /** By abstract list: the full label last given at each level. */
  readonly #labels = new Map<string, (string | undefined)[]>()

  next({ list, level }: ListPlace): Label {
    const counts = this.#of(this.#counts, list.abstractId)
    const labels = this.#of(this.#labels, list.abstractId)
    this.#count(list, level, counts)
    const printed = printedLabel(list, level, counts)
    const label = citedLabel(list, level, printed, labels)
    labels[level] = label
    labels.fill(undefined, level + 1)
    return { label, printed }
  }

  #count(list: ListDefinition, level: number, counts: (number | undefined)[]): void {
    const key = `${list.numId} ${level}`
    const isNewStart = list.starts.has(level) && !this.#started.has(key)
    this.#started.add(key)
    const last = counts[level]
    counts[level] = isNewStart || last === undefined ? startOf(list, level) : last + 1
    // a level above that was left out has begun all the same, where its definition says
    for (let above = 0; above < level; above++) counts[above] ??= list.levels[above]?.start ?? 1
    for (let deeper = level + 1; deeper < counts.length; deeper++) {
      const restart = list.levels[deeper]?.restart
      if (restart !== 0 && (restart === undefined || level < restart)) counts[deeper] = undefined
    }
  }

  #of<Value>(all: Map<string, Value[]>, key: string): Value[] {
    const known = all.get(key) ?? new Array<Value>(9)
    all.set(key, known)
    return known
  }
}

function startOf({ levels, starts }: ListDefinition, level: number): number {
  return starts.get(level) ?? levels[level]?.start ?? 1
}

/** '' where a number has a format that is not known here. */
function printedLabel(
  { levels }: ListDefinition,
  level: number,
  counts: readonly (number | undefined)[],
): string {
  const own = levels[level]
  if (!own) return ''
  if (own.format === 'bullet') return '•'
  let isKnown = true
  const text = own.text.slice(0, MAX_LABEL).replace(/%([1-9])/g, (_, digit: string) => {
    const at = Math.min(Number(digit) - 1, level)
    const format = levels[at]?.format ?? 'decimal'
    const isDecimal = own.isLegal && !KEPT_IN_LEGAL.has(format)
    const number = formatCount(counts[at] ?? 0, isDecimal ? 'decimal' : format)
    isKnown &&= number !== undefined
    return number ?? ''
  })
  return isKnown ? text.trim() : ''
}

const KEPT_IN_LEGAL: ReadonlySet<string> = new Set(['none', 'decimalZero'])

/** With the labels of the levels above, where the level does not print them itself. */
function citedLabel(
  { levels }: ListDefinition,
  level: number,
  printed: string,
  labels: readonly (string | undefined)[],
): string {
  if (printed === '' || printed === '•') return printed
  const isAlone = level > 0 && !new RegExp(`%[1-${level}]`).test(levels[level]!.text)
  const outer = isAlone ? [...labels.slice(0, level)].reverse().find(each => each) : undefined
  const plain = printed.replace(/[.:]$/, '')
  return outer && outer !== '•' ? `${outer}${joint(outer, plain)}${plain}` : plain
}

/** `4.2` and `(b)` need nothing between them; `4` and `2` a dot. */
function joint(outer: string, own: string): string {
  return /[\p{L}\p{N}]$/u.test(outer) && /^[\p{L}\p{N}]/u.test(own) ? '.' : ''
}
