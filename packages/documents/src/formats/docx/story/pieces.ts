import type { LiveNode, LiveTree } from '../../../opc/index.ts'
import { TOKEN } from '../../../runs/token.ts'
import { formFieldOf } from './form-fields.ts'
import { type FieldFrame, MAX_OPEN, type ParagraphSpot, showsPrompt } from './index-story.ts'

/** What a stretch of text stands in; a replacement never crosses its border. */
export interface Border {
  readonly kind: 'link' | 'field' | 'control'
  readonly node: LiveNode
  /** The code of a field; the target of a link if it is a field. */
  readonly code: string
  readonly outer: Border | undefined
}

/** A stretch of a paragraph in one element: text, or something that is no text. */
export interface TextPiece {
  /** `mark`: a tab or a line break. `token`: a note, a picture, a field mark … */
  readonly kind: 'text' | 'mark' | 'token'
  readonly node: LiveNode
  /** Absent for what stands outside runs, such as a formula. */
  readonly run: LiveNode | undefined
  /** The characters; a token has one that no text contains. */
  readonly text: string
  readonly border: Border | undefined
  /** In somebody's tracked insertion or deletion. */
  readonly revision: LiveNode | undefined
  readonly isDeleted: boolean
  /** Prompt of an empty content control: no content. */
  readonly isPrompt: boolean
  /** What a token is, in words: `footnote 2`. */
  readonly label: string
}

export { TOKEN }

/**
 * The text of a paragraph in document order, deleted text included and marked. `noteNumber` is asked for notes alone: it
 * looks through the whole story.
 */
export function piecesOf(
  tree: LiveTree,
  spot: ParagraphSpot,
  noteNumber: (reference: LiveNode) => number | undefined,
): readonly TextPiece[] {
  const walk = new PieceWalk(tree, noteNumber, spot.openFields)
  walk.enter(spot.node, spot.isPrompt ? { isPrompt: true } : {})
  return walk.pieces
}

interface Around {
  readonly run?: LiveNode
  readonly border?: Border
  readonly revision?: LiveNode
  readonly isDeleted?: boolean
  readonly isPrompt?: boolean
}

interface OpenField {
  code: string
  isResult: boolean
  readonly begin: LiveNode
  border: Border | undefined
  /** How many pieces there were when it began; of one that began in another paragraph: none. */
  readonly from: number
}

const MARKS: Readonly<Record<string, string>> = {
  'w:tab': '\t',
  'w:ptab': '\t',
  'w:cr': '\n',
  'w:noBreakHyphen': '\u2011',
  'w:softHyphen': '\u00ad',
}
const DELETIONS: ReadonlySet<string> = new Set(['w:del', 'w:moveFrom'])
const INSERTIONS: ReadonlySet<string> = new Set(['w:ins', 'w:moveTo'])

class PieceWalk {
  readonly pieces: TextPiece[] = []
  readonly #tree: LiveTree
  readonly #noteNumber: (reference: LiveNode) => number | undefined
  readonly #fields: OpenField[]
  #deeper = 0
  #codes: ReadonlyMap<LiveNode, string> | undefined

  constructor(
    tree: LiveTree,
    noteNumber: (reference: LiveNode) => number | undefined,
    open: readonly FieldFrame[],
  ) {
    this.#tree = tree
    this.#noteNumber = noteNumber
    this.#fields = []
    for (const { begin, code, isResult } of open) {
      const field: OpenField = { begin, code, isResult, border: undefined, from: -1 }
      if (isResult) field.border = this.#borderOf(field, this.#fields.at(-1)?.border)
      this.#fields.push(field)
    }
  }

  enter(node: LiveNode, around: Around): void {
    for (const child of node.children) this.#see(child, around)
  }

  #see(node: LiveNode, around: Around): void {
    const { name } = node
    if (name === '' || name === 'w:pPr') return
    if (name === 'w:r') return this.#seeRun(node, around)
    if (DELETIONS.has(name)) return this.enter(node, { ...around, revision: node, isDeleted: true })
    if (INSERTIONS.has(name)) return this.enter(node, { ...around, revision: node })
    if (name === 'w:hyperlink')
      return this.enter(node, this.#within(around, { kind: 'link', node, code: '' }))
    if (name === 'w:fldSimple') {
      const code = this.#tree.attribute(node, 'w:instr') ?? ''
      const inside = this.#within(around, { kind: kindOfField(code), node, code })
      const from = this.pieces.length
      this.enter(node, inside)
      return this.#showEmpty(node, { from, code }, inside)
    }
    if (name === 'w:sdt') return this.#seeControl(node, around)
    if (TRANSPARENT.has(name)) return this.enter(node, around)
    if (name === 'm:oMath' || name === 'm:oMathPara') this.#token(node, around, 'formula')
  }

  #within(around: Around, border: Omit<Border, 'outer'>): Around {
    const outer = around.border ?? this.#fields.at(-1)?.border
    return { ...around, border: { ...border, outer } }
  }

  #seeControl(node: LiveNode, around: Around): void {
    const isPrompt = showsPrompt(this.#tree, node)
    const content = node.child('w:sdtContent')
    const inside = this.#within(around, { kind: 'control', node, code: '' })
    if (content) this.enter(content, isPrompt ? { ...inside, isPrompt } : inside)
  }

  #seeRun(run: LiveNode, outside: Around): void {
    const around = { ...outside, run }
    for (const node of run.children) {
      const { name } = node
      if (name === 'w:t' || name === 'w:delText') {
        const text = this.#tree.textOf(node)
        if (text !== '' && !this.#isCode) this.#add('text', node, around, text)
      } else if (name in MARKS) {
        const text = MARKS[name]!
        this.#add(text === '\t' || text === '\n' ? 'mark' : 'text', node, around, text)
      } else if (name === 'w:br') this.#seeBreak(node, around)
      else if (name === 'w:fldChar') this.#seeField(node, around)
      else if (name !== '' && name !== 'w:rPr') {
        const label = this.#labelOf(node)
        if (label !== undefined) this.#token(node, around, label)
      }
    }
  }

  #seeBreak(node: LiveNode, around: Around): void {
    const type = this.#tree.attribute(node, 'w:type')
    if (type === 'page' || type === 'column') this.#token(node, around, `${type} break`)
    else this.#add('mark', node, around, '\n')
  }

  #seeField(node: LiveNode, around: Around): void {
    const type = this.#tree.attribute(node, 'w:fldCharType')
    const top = this.#fields.at(-1)
    if (type === 'begin' && this.#fields.length >= MAX_OPEN) this.#deeper++
    else if (type === 'begin') {
      const code = this.#codeOf(around.run!, node)
      const from = this.pieces.length
      this.#fields.push({ begin: node, code, isResult: false, border: undefined, from })
    } else if (this.#deeper > 0) this.#deeper -= type === 'end' ? 1 : 0
    else if (type === 'separate' && top) {
      top.isResult = true
      top.border = this.#borderOf(top, around.border ?? this.#fields.at(-2)?.border)
    } else if (type === 'end') this.#endField(around)
  }

  #endField(around: Around): void {
    const field = this.#fields.pop()
    if (!field) return
    const outer = around.border ?? this.#fields.at(-1)?.border
    const border = field.border ?? this.#borderOf(field, outer)
    this.#showEmpty(field.begin, field, { ...around, border })
  }

  /** A field that shows nothing yet, such as a check box or a page number, has a place in the text all the same. */
  #showEmpty(
    node: LiveNode,
    { from, code }: { readonly from: number; readonly code: string },
    around: Around,
  ): void {
    if (from !== this.pieces.length || HIDDEN.has(fieldName(code))) return
    const { run: _, ...outside } = around // it takes several runs, and no text goes between them
    this.#token(node, outside, emptyFieldLabel(this.#tree, node, code))
  }

  /** The codes of the fields that begin in this paragraph: they are in the runs that follow. */
  #codeOf(run: LiveNode, begin: LiveNode): string {
    const paragraph = run.closest('w:p')
    this.#codes ??= paragraph ? codesIn(this.#tree, paragraph) : new Map()
    return this.#codes.get(begin) ?? ''
  }

  #borderOf({ begin, code }: OpenField, outer: Border | undefined): Border {
    return { kind: kindOfField(code), node: begin, code: code.trim(), outer }
  }

  get #isCode(): boolean {
    const top = this.#fields.at(-1)
    return top !== undefined && !top.isResult
  }

  #token(node: LiveNode, around: Around, label: string): void {
    if (!this.#isCode) this.#add('token', node, around, TOKEN, label)
  }

  #add(kind: TextPiece['kind'], node: LiveNode, around: Around, text: string, label = ''): void {
    this.pieces.push({
      kind,
      node,
      run: around.run,
      text,
      border: around.border ?? this.#fields.at(-1)?.border,
      revision: around.revision,
      isDeleted: around.isDeleted === true || node.name === 'w:delText',
      isPrompt: around.isPrompt === true,
      label,
    })
  }

  /** Undefined for what takes no place in the text. */
  #labelOf(node: LiveNode): string | undefined {
    const { name } = node
    if (name === 'w:footnoteReference' || name === 'w:endnoteReference') {
      const number = this.#noteNumber(node)
      return `${name === 'w:footnoteReference' ? 'footnote' : 'endnote'} ${number ?? '*'}`
    }
    if (name === 'w:commentReference') return `comment ${this.#tree.attribute(node, 'w:id') ?? '?'}`
    if (name === 'w:sym') return `symbol ${this.#tree.attribute(node, 'w:char') ?? ''}`
    if (PICTURES.has(name)) return pictureLabel(this.#tree, node)
    return LABELS[name]
  }
}

/** Fields that print nothing: entries of an index or a table, values to be used elsewhere. */
const HIDDEN: ReadonlySet<string> = new Set('XE TC TA RD SET ASK PRIVATE ADVANCE'.split(' '))

/** `PAGE`; a box or a list of a form with its name and state. */
function emptyFieldLabel(tree: LiveTree, node: LiveNode, code: string): string {
  const form = formFieldOf(tree, node)
  if (!form) return fieldName(code) || 'field'
  const state = form.kind === 'check box' ? (form.value === 'true' ? '☒' : '☐') : `"${form.value}"`
  return [form.kind, form.name, state].filter(own => own !== '').join(' ')
}

const TRANSPARENT: ReadonlySet<string> = new Set([
  'w:smartTag',
  'w:customXml',
  'w:dir',
  'w:bdo',
  'w:sdtContent',
])
const PICTURES: ReadonlySet<string> = new Set([
  'w:drawing',
  'w:pict',
  'w:object',
  'mc:AlternateContent',
])
const LABELS: Readonly<Record<string, string>> = {
  'w:ruby': 'ruby text',
  'w:pgNum': 'page number',
  'w:dayLong': 'date',
  'w:dayShort': 'date',
  'w:monthLong': 'date',
  'w:monthShort': 'date',
  'w:yearLong': 'date',
  'w:yearShort': 'date',
  'w:contentPart': 'ink',
}

function pictureLabel(tree: LiveTree, node: LiveNode): string {
  const shown =
    node.name === 'mc:AlternateContent' ? (node.children.find(own => !own.isText) ?? node) : node
  const has = (name: string) => !shown.all(name).next().done
  const [properties] = shown.all('wp:docPr')
  const [shape] = shown.all('v:shape')
  const alt = tree.attribute(properties, 'descr') || tree.attribute(shape, 'alt') || ''
  const kind = has('w:txbxContent')
    ? 'text box'
    : has('c:chart')
      ? 'chart'
      : has('dgm:relIds')
        ? 'diagram'
        : node.name === 'w:object'
          ? 'object'
          : has('a:blip') || has('v:imagedata')
            ? 'picture'
            : 'shape'
  const short = alt.replace(/\s+/g, ' ').trim().slice(0, MAX_ALT)
  return short === '' ? kind : `${kind} "${short.replaceAll('"', "'")}"`
}

const MAX_ALT = 60 // characters

function codesIn(tree: LiveTree, paragraph: LiveNode): ReadonlyMap<LiveNode, string> {
  const codes = new Map<LiveNode, string>()
  const open: LiveNode[] = []
  for (const node of leaves(paragraph)) {
    const type = tree.attribute(node, 'w:fldCharType')
    const top = open.at(-1)
    if (type === 'begin') open.push(node)
    else if (type === 'end') open.pop()
    else if (node.name === 'w:instrText' && top)
      codes.set(top, (codes.get(top) ?? '') + tree.textOf(node))
  }
  return codes
}

function* leaves(node: LiveNode): Generator<LiveNode> {
  for (const child of node.children) {
    if (child.name === 'w:fldChar' || child.name === 'w:instrText') yield child
    else if (child.children.length > 0 && child.name !== 'w:txbxContent') yield* leaves(child)
  }
}

/** A link is edited like text; the result of any other field is computed. */
function kindOfField(code: string): Border['kind'] {
  const name = fieldName(code)
  if (name === 'HYPERLINK') return 'link'
  return name === 'FORMTEXT' || name === 'FILLIN' || name === 'MACROBUTTON' ? 'control' : 'field'
}

/** `REF` for ` REF _Ref1 \h `. */
export function fieldName(code: string): string {
  return /^\s*([A-Za-z]+|=)/.exec(code)?.[1]?.toUpperCase() ?? ''
}
