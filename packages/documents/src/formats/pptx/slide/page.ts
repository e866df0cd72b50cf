import { at, type LiveNode, type LiveTree, numberAt } from '../../../opc/index.ts'

export type ShapeKind =
  | 'text'
  | 'picture'
  | 'media'
  | 'table'
  | 'chart'
  | 'diagram'
  | 'object'
  | 'group'
  | 'connector'
  | 'drawing'

export interface ShapePlaceholder {
  /** `title`, `body`, `pic` …; what content it takes, `obj` where the file does not say. */
  readonly type: string
  readonly idx: string
}

export interface ShapeBox {
  /** In English Metric Units. */
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** Something on a slide, a layout, a master or a page of notes. */
export interface Shape {
  readonly page: ShapePage
  /** Its id; `5~2` for the second with the id 5. */
  readonly key: string
  readonly id: string
  readonly name: string
  readonly alt: string
  readonly kind: ShapeKind
  readonly node: LiveNode
  readonly placeholder: ShapePlaceholder | undefined
  readonly group: Shape | undefined
  /** Its text; absent where it can have none. */
  readonly body: LiveNode | undefined
  /** The same shape for programs that do not know the newer form. */
  readonly twin: LiveNode | undefined
}

const FRAMES: readonly (readonly [RegExp, ShapeKind])[] = [
  [/\/table$/, 'table'],
  [/\/(chart|chartex)$/, 'chart'],
  [/\/diagram$/, 'diagram'],
  [/\/(ole|oleObject)$/, 'object'],
]
const NAMED: Readonly<Record<string, ShapeKind>> = {
  'p:grpSp': 'group',
  'p:cxnSp': 'connector',
  'p:contentPart': 'drawing',
  'p14:contentPart': 'drawing',
}
const SHAPES: ReadonlySet<string> = new Set([
  'p:sp',
  'p:pic',
  'p:graphicFrame',
  ...Object.keys(NAMED),
])

/** A part with a tree of shapes: a slide, its notes, a layout or a master. */
export class ShapePage {
  readonly part: string
  readonly tree: LiveTree
  #shapes: { readonly version: number; readonly list: readonly Shape[] } | undefined

  constructor(part: string, tree: LiveTree) {
    this.part = part
    this.tree = tree
  }

  /** The element that holds the shapes. */
  get shapeTree(): LiveNode | undefined {
    return at(this.tree.root, 'p:cSld', 'p:spTree')
  }

  /** In the order of the file, which is the order in which they are drawn; a group in front of what it holds. */
  get shapes(): readonly Shape[] {
    const { version } = this.tree
    if (this.#shapes?.version !== version)
      this.#shapes = { version, list: new ShapeWalk(this).run() }
    return this.#shapes.list
  }

  shape(key: string): Shape | undefined {
    return this.shapes.find(own => own.key === key)
  }
}

class ShapeWalk {
  readonly #page: ShapePage
  readonly #found: Omit<Shape, 'key'>[] = []

  constructor(page: ShapePage) {
    this.#page = page
  }

  run(): readonly Shape[] {
    const root = this.#page.shapeTree
    if (root) this.#enter(root, undefined, undefined)
    const counts = new Map<string, number>()
    for (const { id } of this.#found) counts.set(id, (counts.get(id) ?? 0) + 1)
    const seen = new Map<string, number>()
    const made: Shape[] = []
    const byNode = new Map<LiveNode, Shape>()
    for (const shape of this.#found) {
      const number = (seen.get(shape.id) ?? 0) + 1
      seen.set(shape.id, number)
      const key = counts.get(shape.id) === 1 ? shape.id : `${shape.id}~${number}`
      const group = shape.group && byNode.get(shape.group.node)
      const own = { ...shape, key, group }
      byNode.set(own.node, own)
      made.push(own)
    }
    return made
  }

  #enter(parent: LiveNode, group: Shape | undefined, fallback: LiveNode | undefined): void {
    for (const node of parent.children) {
      if (node.name === 'mc:AlternateContent') {
        const choice = node.child('mc:Choice') ?? node.child('mc:Fallback')
        if (choice) this.#enter(choice, group, node.child('mc:Fallback'))
      } else if (SHAPES.has(node.name)) this.#add(node, group, fallback)
    }
  }

  #add(node: LiveNode, group: Shape | undefined, fallback: LiveNode | undefined): void {
    const { tree } = this.#page
    const properties = node.children.find(({ name }) => /:nv\w*Pr$/.test(name))
    const common = properties?.child('p:cNvPr')
    const id = tree.attribute(common, 'id') ?? '0'
    const holder = properties?.child('p:nvPr')
    const shape: Shape = {
      page: this.#page,
      key: '',
      id,
      name: tree.attribute(common, 'name') ?? '',
      alt: tree.attribute(common, 'descr') ?? '',
      kind: kindOf(tree, node, holder),
      node,
      placeholder: placeholderOf(tree, holder?.child('p:ph')),
      group,
      body: node.name === 'p:sp' ? node.child('p:txBody') : undefined,
      twin: fallback?.children.find(({ name }) => name === node.name),
    }
    this.#found.push(shape)
    if (node.name === 'p:grpSp') this.#enter(node, shape, undefined)
  }
}

function kindOf(tree: LiveTree, node: LiveNode, holder: LiveNode | undefined): ShapeKind {
  if (node.name === 'p:pic') {
    const isMedia = holder?.children.some(({ name }) => /^a:(video|audio|quickTime|wav)/.test(name))
    return isMedia ? 'media' : 'picture'
  }
  if (node.name !== 'p:graphicFrame') return NAMED[node.name] ?? 'text'
  const uri = tree.attribute(at(node, 'a:graphic', 'a:graphicData'), 'uri') ?? ''
  return FRAMES.find(([pattern]) => pattern.test(uri))?.[1] ?? 'drawing'
}

function placeholderOf(tree: LiveTree, node: LiveNode | undefined): ShapePlaceholder | undefined {
  if (!node) return undefined
  return { type: tree.attribute(node, 'type') ?? 'obj', idx: tree.attribute(node, 'idx') ?? '0' }
}

/** Where a shape says itself that it is; in the coordinates of its group. */
export function ownBox({
  page: { tree },
  node,
}: Pick<Shape, 'page' | 'node'>): ShapeBox | undefined {
  const transform = transformOf(node)
  const offset = transform?.child('a:off')
  const extent = transform?.child('a:ext')
  const left = numberAt(tree, offset, 'x')
  const top = numberAt(tree, offset, 'y')
  const width = numberAt(tree, extent, 'cx')
  const height = numberAt(tree, extent, 'cy')
  if (left === undefined || top === undefined || width === undefined || height === undefined)
    return undefined
  return { left, top, width, height }
}

/** `a:xfrm` or `p:xfrm` of a shape. */
export function transformOf(node: LiveNode): LiveNode | undefined {
  return (
    node.child('p:xfrm') ??
    at(node, 'p:spPr', 'a:xfrm') ??
    at(node, 'p:grpSpPr', 'a:xfrm') ??
    undefined
  )
}
