import type { LiveNode, LiveTree } from '../../../opc/index.ts'
import { isOn } from '../parts/values.ts'

/** A field of several runs: `REF _Ref1 \h` and its result, which may span paragraphs. */
export interface FieldFrame {
  readonly begin: LiveNode
  code: string
  /** The runs after the separator hold the result. */
  isResult: boolean
}

/** A paragraph where it stands. */
export interface ParagraphSpot {
  readonly node: LiveNode
  /** The table cell around it, if any. */
  readonly cell: LiveNode | undefined
  /** The text box around it, if any. */
  readonly box: LiveNode | undefined
  /** The note or comment around it, if any. */
  readonly note: LiveNode | undefined
  /** Fields that began in earlier paragraphs. */
  readonly openFields: readonly FieldFrame[]
  /** It is the prompt of an empty content control around it. */
  readonly isPrompt?: boolean
}

/** Everything in a story that has a place, in document order. */
export interface StoryIndex {
  readonly paragraphs: readonly ParagraphSpot[]
  readonly tables: readonly LiveNode[]
  /** The same paragraph in the older form of a text box, which programs without the newer one show. */
  readonly twins: ReadonlyMap<LiveNode, LiveNode>
  /** The contents of such text boxes, likewise. */
  readonly boxes: ReadonlyMap<LiveNode, LiveNode>
  /** References to footnotes and endnotes by their number as printed. */
  readonly noteNumbers: ReadonlyMap<LiveNode, number>
}

/** One pass over a part with text. */
export function indexStory(tree: LiveTree, root: LiveNode): StoryIndex {
  const walk = new StoryWalk(tree)
  walk.enter(root, OUTSIDE)
  return walk
}

interface Around {
  readonly cell?: LiveNode
  readonly box?: LiveNode
  readonly note?: LiveNode
  readonly isPrompt?: boolean
}

const OUTSIDE: Around = {}
const SKIPPED: ReadonlySet<string> = new Set([
  '',
  'w:t',
  'w:rPr',
  'w:pPr',
  'w:tblPr',
  'w:tcPr',
  'w:tblGrid',
  'w:sectPr',
])
const NO_FIELDS: readonly FieldFrame[] = []

class StoryWalk implements StoryIndex {
  readonly paragraphs: ParagraphSpot[] = []
  readonly tables: LiveNode[] = []
  readonly twins = new Map<LiveNode, LiveNode>()
  readonly boxes = new Map<LiveNode, LiveNode>()
  readonly noteNumbers = new Map<LiveNode, number>()
  readonly #tree: LiveTree
  readonly #counts: Record<string, number> = {}
  #open: FieldFrame[] = []
  /** Fields inside so many others: they only have to end. */
  #deeper = 0

  constructor(tree: LiveTree) {
    this.#tree = tree
  }

  enter(node: LiveNode, around: Around): void {
    for (const child of node.children) if (!SKIPPED.has(child.name)) this.#see(child, around)
  }

  #see(node: LiveNode, around: Around): void {
    switch (node.name) {
      case 'w:p':
        this.paragraphs.push({
          node,
          cell: around.cell,
          box: around.box,
          note: around.note,
          openFields: this.#open.length === 0 ? NO_FIELDS : [...this.#open],
          ...(around.isPrompt && { isPrompt: true }),
        })
        return this.enter(node, around)
      case 'w:sdt':
        return this.enter(
          node,
          showsPrompt(this.#tree, node) ? { ...around, isPrompt: true } : around,
        )
      case 'w:tbl':
        this.tables.push(node)
        return this.enter(node, around)
      case 'w:tc':
        return this.enter(node, { ...around, cell: node })
      case 'w:txbxContent':
        return this.#enterBox(node, { ...around, box: node })
      case 'w:footnote':
      case 'w:endnote':
      case 'w:comment':
        return this.enter(node, { note: node })
      case 'mc:AlternateContent':
        return this.#enterAlternatives(node, around)
      case 'w:fldChar':
        return this.#seeField(node)
      case 'w:instrText':
        return this.#seeCode(node)
      case 'w:footnoteReference':
      case 'w:endnoteReference':
        return this.#seeNote(node)
      default:
        if (node.children.length > 0) this.enter(node, around)
    }
  }

  /** Fields do not reach into a text box or out of it. */
  #enterBox(node: LiveNode, around: Around): void {
    const outer = this.#open
    this.#open = []
    this.enter(node, around)
    this.#open = outer
  }

  /** Only the first form counts; paragraphs of the others are its twins where they correspond. */
  #enterAlternatives(node: LiveNode, around: Around): void {
    const [first, ...others] = node.children.filter(child => !child.isText)
    if (!first) return
    const from = this.paragraphs.length
    this.enter(first, around)
    const own = this.paragraphs.slice(from).map(spot => spot.node)
    for (const other of others) {
      const twins = [...other.all('w:p')]
      if (twins.length !== own.length) continue
      for (const [index, twin] of twins.entries()) this.twins.set(own[index]!, twin)
      const [box, ...more] = first.all('w:txbxContent')
      const [twin, ...others] = other.all('w:txbxContent')
      if (box && twin && more.length + others.length === 0) this.boxes.set(box, twin)
    }
  }

  #seeField(node: LiveNode): void {
    const type = this.#tree.attribute(node, 'w:fldCharType')
    const top = this.#open.at(-1)
    if (type === 'begin' && this.#open.length >= MAX_OPEN) this.#deeper++
    else if (type === 'begin') this.#open.push({ begin: node, code: '', isResult: false })
    else if (this.#deeper > 0) this.#deeper -= type === 'end' ? 1 : 0
    else if (type === 'separate' && top) top.isResult = true
    else if (type === 'end') this.#open.pop()
  }

  #seeCode(node: LiveNode): void {
    const top = this.#open.at(-1)
    if (top && !top.isResult && top.code.length < MAX_CODE) top.code += this.#tree.textOf(node)
  }

  #seeNote(node: LiveNode): void {
    if (this.#tree.attribute(node, 'w:customMarkFollows') !== undefined) return
    const count = (this.#counts[node.name] ?? 0) + 1
    this.#counts[node.name] = count
    this.noteNumbers.set(node, count)
  }
}

/** Whether a content control shows its prompt: nobody filled it. */
export function showsPrompt(tree: LiveTree, control: LiveNode): boolean {
  const prompt = control.child('w:sdtPr')?.child('w:showingPlcHdr')
  return prompt !== undefined && isOn(tree.attribute(prompt, 'w:val'))
}

const MAX_CODE = 2_000
/** Fields in one another; Word stops at 20. Each paragraph knows those around it, so more would cost their square. */
export const MAX_OPEN = 64
