import type { LiveNode, LiveTree } from '../../../opc/index.ts'
import type { DocumentPackage } from './document-package.ts'
import { numberOf, toggleOf, valOf } from './values.ts'

export interface ListLevel {
  /** Of ECMA-376, `001` for a pattern of one's own, or one that is not known here. */
  readonly format: string
  /** `%1.%2` */
  readonly text: string
  readonly start: number
  /** The level after which it starts again: 0 never. */
  readonly restart: number | undefined
  /** All numbers of the label are decimal. */
  readonly isLegal: boolean
  /** The paragraph style that belongs to the level. */
  readonly style: string | undefined
}

export interface ListDefinition {
  readonly numId: string
  readonly abstractId: string
  readonly levels: readonly (ListLevel | undefined)[]
  /** Where the first paragraph of the list starts counting, by level. */
  readonly starts: ReadonlyMap<number, number>
}

const LEVELS = 9

/** The lists of a document, by the number that paragraphs name. Built again when the part changed. */
export class Numbering {
  readonly tree: LiveTree | undefined
  readonly lists = new Map<string, ListDefinition>()

  constructor(own: DocumentPackage) {
    this.tree = own.linkedTree('numbering')
    const { tree } = this
    if (!tree) return
    const reader = new LevelReader(tree, languageOf(own.linkedTree('styles')))
    const definitions = definitionsIn(tree)
    for (const node of tree.root.children) {
      if (node.name !== 'w:num') continue
      const list = reader.list(node, definitions)
      this.lists.set(list.numId, list)
    }
  }
}

/** By id. One that takes its levels from a numbering style is the one that defines the style. */
function definitionsIn(tree: LiveTree): ReadonlyMap<string, LiveNode> {
  const all = tree.root.children.filter(({ name }) => name === 'w:abstractNum')
  const definers = new Map(all.map(node => [valOf(tree, node, 'w:styleLink'), node]))
  return new Map(
    all.map(node => {
      const style = valOf(tree, node, 'w:numStyleLink')
      const definer = style === undefined ? undefined : definers.get(style)
      return [idOf(tree, node), definer ?? node]
    }),
  )
}

function idOf(tree: LiveTree, definition: LiveNode): string {
  return tree.attribute(definition, 'w:abstractNumId') ?? ''
}

/** The language of text that names no other. */
function languageOf(styles: LiveTree | undefined): string {
  const defaults = styles?.root.child('w:docDefaults')?.child('w:rPrDefault')?.child('w:rPr')
  return (styles && valOf(styles, defaults, 'w:lang')) ?? 'en'
}

class LevelReader {
  readonly #tree: LiveTree
  readonly #language: string

  constructor(tree: LiveTree, language: string) {
    this.#tree = tree
    this.#language = language
  }

  list(node: LiveNode, definitions: ReadonlyMap<string, LiveNode>): ListDefinition {
    const tree = this.#tree
    const named = valOf(tree, node, 'w:abstractNumId') ?? ''
    const definition = definitions.get(named)
    const levels: (ListLevel | undefined)[] = new Array(LEVELS).fill(undefined)
    for (const own of definition?.children ?? []) if (own.name === 'w:lvl') this.#put(own, levels)
    const starts = new Map<number, number>()
    for (const override of node.children) {
      if (override.name !== 'w:lvlOverride') continue
      const level = this.#numberOf(override)
      const start = numberOf(valOf(tree, override, 'w:startOverride'))
      if (start !== undefined) starts.set(level, start)
      const own = override.child('w:lvl')
      if (own) this.#put(own, levels, level)
    }
    const abstractId = definition ? idOf(tree, definition) : named
    return { numId: tree.attribute(node, 'w:numId') ?? '', abstractId, levels, starts }
  }

  #put(node: LiveNode, levels: (ListLevel | undefined)[], at = this.#numberOf(node)): void {
    if (at >= 0 && at < LEVELS) levels[at] = this.#level(node)
  }

  #numberOf(node: LiveNode): number {
    return numberOf(this.#tree.attribute(node, 'w:ilvl')) ?? 0
  }

  #level(node: LiveNode): ListLevel {
    const tree = this.#tree
    return {
      format: this.#format(node),
      text: valOf(tree, node, 'w:lvlText') ?? '',
      start: numberOf(valOf(tree, node, 'w:start')) ?? 0,
      restart: numberOf(valOf(tree, node, 'w:lvlRestart')),
      isLegal: toggleOf(tree, node, 'w:isLgl') ?? false,
      style: valOf(tree, node, 'w:pStyle'),
    }
  }

  /** A pattern of one's own, such as 001, 002, stands for its first number. */
  #format(node: LiveNode): string {
    const chosen = node.child('mc:AlternateContent')?.child('mc:Choice')?.child('w:numFmt')
    const found = chosen ?? node.child('w:numFmt')
    const format = this.#tree.attribute(found, 'w:val') ?? 'decimal'
    const language = valOf(this.#tree, node.child('w:rPr'), 'w:lang') ?? this.#language
    if (NEEDS_LANGUAGE.has(format) && !/^en\b/i.test(language)) return `${format} (${language})`
    if (format !== 'custom') return format
    return this.#tree.attribute(found, 'w:format')?.split(',')[0] ?? format
  }
}

/** Formats that spell a number out; how English does it is known. */
const NEEDS_LANGUAGE: ReadonlySet<string> = new Set(['ordinal', 'cardinalText', 'ordinalText'])
