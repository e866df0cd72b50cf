import type { LiveNode, LiveTree } from '../../../opc/index.ts'
import type { DocumentPackage } from './document-package.ts'
import { isOn, numberOf, valOf } from './values.ts'

export interface Style {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly basedOn: string | undefined
  readonly next: string | undefined
  readonly isDefault: boolean
  readonly node: LiveNode
}

const MAX_CHAIN = 32 // styles based on one another; a loop ends here

/** The styles of a document, by id. Built again when the part changed. */
export class StyleSheet {
  readonly tree: LiveTree | undefined
  readonly byId = new Map<string, Style>()
  readonly #byName = new Map<string, Style>()
  readonly #levels = new Map<string | undefined, number | undefined>()
  #defaultParagraph: Style | undefined

  constructor(own: DocumentPackage) {
    this.tree = own.linkedTree('styles')
    const { tree } = this
    if (!tree) return
    for (const node of tree.root.children) {
      if (node.name !== 'w:style') continue
      const style = toStyle(tree, node)
      if (!this.byId.has(style.id)) this.byId.set(style.id, style)
      const folded = style.name.toLowerCase()
      if (!this.#byName.has(folded)) this.#byName.set(folded, style)
      if (style.isDefault && style.type === 'paragraph') this.#defaultParagraph ??= style
    }
  }

  get defaultParagraph(): Style | undefined {
    return this.#defaultParagraph
  }

  /** By name as people see it, or by id. */
  find(name: string, type?: string): Style | undefined {
    const folded = name.trim().toLowerCase()
    const found = this.#byName.get(folded) ?? this.byId.get(name) ?? this.#byFoldedId(folded)
    return found && (type === undefined || found.type === type) ? found : undefined
  }

  names(type: string): string[] {
    return [...this.byId.values()].filter(style => style.type === type).map(({ name }) => name)
  }

  /** The style and those it is based on, nearest first. */
  *chain(id: string | undefined): Generator<Style> {
    let style = id === undefined ? this.#defaultParagraph : this.byId.get(id)
    for (let depth = 0; style && depth < MAX_CHAIN; depth++) {
      yield style
      style = style.basedOn === undefined ? undefined : this.byId.get(style.basedOn)
    }
  }

  /** The first paragraph property of that name in the style or those it is based on. */
  paragraphProperty(id: string | undefined, name: string): LiveNode | undefined {
    for (const { node } of this.chain(id)) {
      const found = node.child('w:pPr')?.child(name)
      if (found) return found
    }
    return undefined
  }

  /** The list that the style or the nearest of those it is based on names. */
  listNumber(id: string | undefined): string | undefined {
    for (const style of this.chain(id)) {
      const found = this.listProperty(style, 'w:numId')
      if (found !== undefined) return found
    }
    return undefined
  }

  /** What a style itself says of its list. */
  listProperty({ node }: Style, name: 'w:numId' | 'w:ilvl'): string | undefined {
    return this.tree && valOf(this.tree, node.child('w:pPr')?.child('w:numPr'), name)
  }

  runProperty(id: string | undefined, name: string): LiveNode | undefined {
    for (const { node } of this.chain(id)) {
      const found = node.child('w:rPr')?.child(name)
      if (found) return found
    }
    return undefined
  }

  /** 1 to 9 for a heading style, by its outline level or its built-in name. */
  headingLevel(id: string | undefined): number | undefined {
    if (this.#levels.has(id)) return this.#levels.get(id)
    const level = this.#findLevel(id)
    this.#levels.set(id, level)
    return level
  }

  #findLevel(id: string | undefined): number | undefined {
    const { tree } = this
    if (!tree) return undefined
    const outline = this.paragraphProperty(id, 'w:outlineLvl')
    const level = numberOf(tree.attribute(outline, 'w:val'))
    if (level !== undefined) return level >= 0 && level < 9 ? level + 1 : undefined
    for (const { name } of this.chain(id)) {
      const built = /^heading ([1-9])$/i.exec(name)
      if (built) return Number(built[1])
    }
    return undefined
  }

  #byFoldedId(folded: string): Style | undefined {
    const plain = folded.replaceAll(' ', '')
    for (const style of this.byId.values()) if (style.id.toLowerCase() === plain) return style
    return undefined
  }
}

function toStyle(tree: LiveTree, node: LiveNode): Style {
  const id = tree.attribute(node, 'w:styleId') ?? ''
  const isDefault = tree.attribute(node, 'w:default')
  return {
    id,
    name: valOf(tree, node, 'w:name') ?? id,
    type: tree.attribute(node, 'w:type') ?? 'paragraph',
    basedOn: valOf(tree, node, 'w:basedOn'),
    next: valOf(tree, node, 'w:next'),
    isDefault: isDefault !== undefined && isOn(isDefault),
    node,
  }
}
