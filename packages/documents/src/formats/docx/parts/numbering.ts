import type { LiveNode, LiveTree } from '../../../opc/index.ts'
import type { DocumentPackage } from './document-package.ts'
import { numberOf, valOf } from './values.ts'

export interface ListLevel {
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
    const abstracts = new Map<string, LiveNode>()
    for (const node of tree.root.children)
      if (node.name === 'w:abstractNum')
        abstracts.set(tree.attribute(node, 'w:abstractNumId') ?? '', node)
    for (const node of tree.root.children) {
      if (node.name !== 'w:num') continue
      const list = toList(tree, node, abstracts)
      this.lists.set(list.numId, list)
    }
    this.#followStyleLinks(tree, abstracts)
  }

  /** A list that takes its levels from a numbering style uses those of the list that defines the style. */
  #followStyleLinks(tree: LiveTree, abstracts: ReadonlyMap<string, LiveNode>): void {
    const definers = new Map<string, string>()
    for (const [id, node] of abstracts) {
      const style = valOf(tree, node, 'w:styleLink')
      if (style !== undefined) definers.set(style, id)
    }
    for (const [numId, list] of this.lists) {
      const node = abstracts.get(list.abstractId)
      const style = node && valOf(tree, node, 'w:numStyleLink')
      const definer = style === undefined ? undefined : definers.get(style)
      if (definer === undefined) continue
      const levels = levelsOf(tree, abstracts.get(definer))
      this.lists.set(numId, { ...list, abstractId: definer, levels })
    }
  }
}

function toList(
  tree: LiveTree,
  node: LiveNode,
  abstracts: ReadonlyMap<string, LiveNode>,
): ListDefinition {
  const abstractId = valOf(tree, node, 'w:abstractNumId') ?? ''
  const levels = [...levelsOf(tree, abstracts.get(abstractId))]
  const starts = new Map<number, number>()
  for (const override of node.children) {
    if (override.name !== 'w:lvlOverride') continue
    const level = numberOf(tree.attribute(override, 'w:ilvl')) ?? 0
    if (level < 0 || level >= LEVELS) continue
    const start = numberOf(valOf(tree, override, 'w:startOverride'))
    if (start !== undefined) starts.set(level, start)
    const own = override.child('w:lvl')
    if (own) levels[level] = toLevel(tree, own)
  }
  return { numId: tree.attribute(node, 'w:numId') ?? '', abstractId, levels, starts }
}

function levelsOf(tree: LiveTree, node: LiveNode | undefined): (ListLevel | undefined)[] {
  const levels: (ListLevel | undefined)[] = new Array(LEVELS).fill(undefined)
  for (const own of node?.children ?? []) {
    if (own.name !== 'w:lvl') continue
    const level = numberOf(tree.attribute(own, 'w:ilvl')) ?? 0
    if (level >= 0 && level < LEVELS) levels[level] = toLevel(tree, own)
  }
  return levels
}

function toLevel(tree: LiveTree, node: LiveNode): ListLevel {
  return {
    format: valOf(tree, node, 'w:numFmt') ?? 'decimal',
    text: valOf(tree, node, 'w:lvlText') ?? '',
    start: numberOf(valOf(tree, node, 'w:start')) ?? 0,
    restart: numberOf(valOf(tree, node, 'w:lvlRestart')),
    isLegal: node.child('w:isLgl') !== undefined,
    style: valOf(tree, node, 'w:pStyle'),
  }
}
