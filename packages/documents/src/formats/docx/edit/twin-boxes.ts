import type { LiveNode, LiveTree } from '../../../opc/index.ts'
import type { Manuscript } from '../story/manuscript.ts'

interface TwinBox {
  readonly tree: LiveTree
  /** Its content in the newer form, which counts. */
  readonly own: LiveNode
  /** Its content in the older form. */
  readonly other: LiveNode
}

/**
 * Keeps both forms of text boxes alike. Edits of words are made in each of them; where a change touched only the newer
 * form, with a paragraph that came or went, the older one is written from it, as Word does.
 */
export class TwinBoxes {
  /** The box that a paragraph or a table is in, by its id. */
  readonly #boxOf = new Map<string, TwinBox>()

  static readonly none = new TwinBoxes({ stories: [] })

  constructor({ stories }: Pick<Manuscript, 'stories'>) {
    for (const story of stories) {
      const { tree, index } = story
      for (const [own, other] of index.boxes)
        for (const name of ['w:p', 'w:tbl'])
          for (const node of own.all(name)) {
            const id = story.idOf(node)
            if (id !== undefined) this.#boxOf.set(id, { tree, own, other })
          }
    }
  }

  /** Makes a change that names these paragraphs and tables, and the same one in the other form of their boxes. */
  during(ids: readonly string[], make: () => boolean | undefined): boolean | undefined {
    const boxes = new Map<LiveNode, TwinBox>()
    for (const id of ids) {
      const box = this.#boxOf.get(id)
      if (box) boxes.set(box.own, box)
    }
    const before = [...boxes.values()].map(box => ({ box, snapshot: snapshotOf(box) }))
    const result = make()
    if (result !== false) for (const { box, snapshot } of before) follow(box, snapshot)
    return result
  }

  /** What a change made beside others is in their box. */
  add(made: readonly string[], beside: readonly string[]): void {
    const box = beside.map(id => this.#boxOf.get(id)).find(own => own !== undefined)
    if (box) for (const id of made) if (!this.#boxOf.has(id)) this.#boxOf.set(id, box)
  }
}

interface Snapshot {
  readonly other: string
  /** The blocks of the newer form as they were, and those that stand for them in the older one. */
  readonly blocks: ReadonlyMap<LiveNode, { readonly xml: string; readonly twin?: LiveNode }>
}

function snapshotOf({ tree, own, other }: TwinBox): Snapshot {
  const isAlike = own.children.length === other.children.length
  const blocks = own.children.map((child, index) => {
    const twin = isAlike ? other.children[index] : undefined
    return [child, { xml: tree.xmlOf(child), ...(twin && { twin }) }] as const
  })
  return { other: tree.xmlOf(other), blocks: new Map(blocks) }
}

/** Blocks that changed are written anew; the others keep what they are. */
function follow({ tree, own, other }: TwinBox, before: Snapshot): void {
  const isKept = (child: LiveNode) => before.blocks.get(child)?.xml === tree.xmlOf(child)
  const old = [...before.blocks.keys()]
  const isSame =
    own.children.length === old.length &&
    own.children.every((child, index) => child === old[index] && isKept(child))
  if (isSame || tree.xmlOf(other) !== before.other) return
  const children = own.children.map(child => {
    const twin = before.blocks.get(child)?.twin
    if (twin && isKept(child)) return twin
    const made = tree.clone(child)
    if (twin) keepIds(tree, made, twin)
    return made
  })
  tree.setChildren(other, children)
}

/** Bookmarks have ids of their own in each form. */
function keepIds(tree: LiveTree, made: LiveNode, twin: LiveNode): void {
  for (const name of ['w:bookmarkStart', 'w:bookmarkEnd']) {
    const old = [...twin.all(name)]
    const now = [...made.all(name)]
    if (old.length !== now.length) continue
    for (const [index, node] of now.entries())
      tree.setAttribute(node, 'w:id', tree.attribute(old[index], 'w:id'))
  }
}
