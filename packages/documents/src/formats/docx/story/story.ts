import { bufferOf, type LiveNode, type LiveTree } from '../../../opc/index.ts'
import type { Numbering } from '../parts/numbering.ts'
import type { StyleSheet } from '../parts/styles.ts'
import { numberOf, valOf } from '../parts/values.ts'
import { indexStory, type ParagraphSpot, type StoryIndex } from './index-story.ts'
import { type Label, LabelCounter, listPlaceOf } from './labels.ts'
import { takesNumber } from './numbered.ts'
import { piecesOf, type TextPiece } from './pieces.ts'

/** A paragraph with the id that calls use. */
export interface Paragraph extends ParagraphSpot {
  readonly id: string
  readonly story: Story
  /** Its position among the paragraphs of the story, from 0. */
  readonly position: number
}

export interface TableSpot {
  readonly id: string
  readonly node: LiveNode
  readonly story: Story
}

/** How a paragraph counts in the outline and in lists; its labels are '' outside them. */
export interface ParagraphRank extends Label {
  /** 1 to 9 for a heading. */
  readonly heading: number | undefined
}

const UNNUMBERED: Label = { label: '', printed: '' }

/** What a story asks of its document. */
interface StoryOwner {
  readonly styles: StyleSheet
  readonly numbering: Numbering
  freeRevisionId(): number
}

/**
 * One text of the document: the body, a header, the footnotes. Its paragraphs and tables have ids that stay while the
 * document is open: those of the file by their position in it, new ones by the operation that made them.
 */
export class Story {
  readonly name: string
  readonly part: string
  readonly tree: LiveTree
  readonly root: LiveNode
  readonly #owner: StoryOwner
  readonly #ids = new Map<LiveNode, string>()
  #indexed:
    | { readonly version: number; readonly index: StoryIndex; readonly all: readonly Paragraph[] }
    | undefined
  readonly #pieces = new WeakMap<
    LiveNode,
    { readonly version: number; readonly pieces: readonly TextPiece[] }
  >()
  #hasControls: boolean | undefined
  #hasFormFields: boolean | undefined
  #byId: ReadonlyMap<string, Paragraph> | undefined
  #ranks: { readonly key: string; readonly ranks: readonly ParagraphRank[] } | undefined

  constructor(name: string, part: string, tree: LiveTree, root: LiveNode, owner: StoryOwner) {
    this.name = name
    this.part = part
    this.tree = tree
    this.root = root
    this.#owner = owner
    const index = indexStory(tree, root)
    for (const [position, { node }] of index.paragraphs.entries())
      this.#ids.set(node, this.#prefixed(`p${position + 1}`))
    for (const [position, node] of index.tables.entries())
      this.#ids.set(node, this.#prefixed(`t${position + 1}`))
    this.#indexed = this.#toIndexed(index)
  }

  get index(): StoryIndex {
    return this.#current().index
  }

  get paragraphs(): readonly Paragraph[] {
    return this.#current().all
  }

  get tables(): readonly TableSpot[] {
    return this.index.tables.map(node => ({ id: this.#ids.get(node) ?? '', node, story: this }))
  }

  paragraph(id: string): Paragraph | undefined {
    const { all } = this.#current()
    this.#byId ??= new Map(all.map(own => [own.id, own]))
    return this.#byId.get(id)
  }

  /** The id of a paragraph or table. */
  idOf(node: LiveNode): string | undefined {
    return this.#ids.get(node)
  }

  /**
   * The same paragraph in the older form of its text box, as the story was last looked through: to look again after every
   * edit would cost the square of them.
   */
  twinOf(node: LiveNode): LiveNode | undefined {
    return this.#indexed?.index.twins.get(node)
  }

  /** Gives a new paragraph or table the id that its operation chose. */
  assign(node: LiveNode, id: string): void {
    this.#ids.set(node, id)
  }

  /** Kept as long as the part stays as it is: a map asks for them several times. */
  pieces(paragraph: ParagraphSpot): readonly TextPiece[] {
    const { version } = this.tree
    const known = this.#pieces.get(paragraph.node)
    if (known?.version === version) return known.pieces
    const pieces = piecesOf(this.tree, paragraph, own => this.index.noteNumbers.get(own))
    this.#pieces.set(paragraph.node, { version, pieces })
    return pieces
  }

  /** False where no content control can be in it, without a look at every element. */
  get mayHaveControls(): boolean {
    if (this.tree.isChanged) return true
    this.#hasControls ??=
      bufferOf(this.tree.base).includes(':sdt') || bufferOf(this.tree.base).includes('<sdt')
    return this.#hasControls
  }

  /** The same for fields of an older form. */
  get mayHaveFormFields(): boolean {
    if (this.tree.isChanged) return true
    this.#hasFormFields ??= bufferOf(this.tree.base).includes('ffData')
    return this.#hasFormFields
  }

  /** An id for a tracked change that occurs in no part of the document. */
  freeRevisionId(): number {
    return this.#owner.freeRevisionId()
  }

  rank(paragraph: Paragraph): ParagraphRank {
    return this.ranks[paragraph.position]!
  }

  /** Of every paragraph, in order. */
  get ranks(): readonly ParagraphRank[] {
    const { styles, numbering } = this.#owner
    const key = `${this.tree.version} ${styles.tree?.version} ${numbering.tree?.version}`
    if (this.#ranks?.key === key) return this.#ranks.ranks
    const counter = new LabelCounter()
    const ranks = this.paragraphs.map(paragraph => {
      const { node } = paragraph
      const place = listPlaceOf(this.tree, node, styles, numbering)
      const pieces = () => this.pieces(paragraph)
      const isNumbered = place && takesNumber(this.tree, styles, paragraph, pieces)
      const label = isNumbered ? counter.next(place) : UNNUMBERED
      return { heading: this.#headingOf(node, styles), ...label }
    })
    this.#ranks = { key, ranks }
    return ranks
  }

  styleIdOf(node: LiveNode): string | undefined {
    return valOf(this.tree, node.child('w:pPr'), 'w:pStyle')
  }

  #headingOf(node: LiveNode, styles: StyleSheet): number | undefined {
    const properties = node.child('w:pPr')
    const own = numberOf(valOf(this.tree, properties, 'w:outlineLvl'))
    if (own !== undefined) return own >= 0 && own < 9 ? own + 1 : undefined
    return styles.headingLevel(valOf(this.tree, properties, 'w:pStyle'))
  }

  #current() {
    const { version } = this.tree
    if (this.#indexed?.version === version) return this.#indexed
    this.#indexed = this.#toIndexed(indexStory(this.tree, this.root))
    this.#byId = undefined
    return this.#indexed
  }

  #toIndexed(index: StoryIndex) {
    const all = index.paragraphs.map((spot, position) => ({
      ...spot,
      id: this.#ids.get(spot.node) ?? this.#adopt(spot.node),
      story: this,
      position,
    }))
    return { version: this.tree.version, index, all }
  }

  /** A paragraph that an operation made without choosing its id, such as one in a new table. */
  #adopt(node: LiveNode): string {
    const id = this.#prefixed(`x${this.#ids.size + 1}`)
    this.#ids.set(node, id)
    return id
  }

  #prefixed(id: string): string {
    return this.name === 'body' ? id : `${this.name}/${id}`
  }
}
