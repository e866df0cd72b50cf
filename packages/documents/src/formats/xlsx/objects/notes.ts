import { encodeText, type LiveNode, type LiveTree } from '../../../opc/index.ts'
import { Refusal } from '../../../refusal.ts'
import { mainNamespace, XML_DECLARATION } from '../book/new-sheet.ts'
import { type CellAddress, cellName } from '../cell/address.ts'
import { encodeEscapes, readRichText } from '../cell/strings.ts'
import type { LiveBook, SheetFrame } from './live-book.ts'
import { EMPTY_NOTE_DRAWING, hasShapes, withNoteShape, withoutNoteShape } from './note-shapes.ts'

const COMMENTS_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.comments+xml'
const DRAWING_TYPE = 'application/vnd.openxmlformats-officedocument.vmlDrawing'

export interface FoundNote {
  readonly author: string
  readonly text: string
  readonly node: LiveNode
  readonly tree: LiveTree
}

function commentsPart(live: LiveBook, { part }: SheetFrame): string | undefined {
  return live.package.links(part).find(({ kind }) => kind === 'comments')?.target
}

export function findNote(
  live: LiveBook,
  frame: SheetFrame,
  at: CellAddress,
): FoundNote | undefined {
  const tree = live.package.findTree(commentsPart(live, frame))
  const list = tree?.root.child('x:commentList')
  const cell = cellName(at.row, at.column)
  const node = list?.children.find(own => tree?.attribute(own, 'ref') === cell)
  if (!tree || !node) return undefined
  const authors = tree.root.child('x:authors')?.children.filter(({ isText }) => !isText) ?? []
  const author = authors[Number(tree.attribute(node, 'authorId') ?? 0)]
  const text = node.child('x:text')
  return {
    author: author ? tree.textOf(author) : '',
    text: text ? plainText(tree, text) : '',
    node,
    tree,
  }
}

function plainText(tree: LiveTree, node: LiveNode): string {
  const xml = Buffer.from(tree.xmlOf(node).replaceAll('x:', ''))
  return readRichText(xml, xml.indexOf('>') + 1, xml.lastIndexOf('</'))
}

/** Adds a note, or gives the one that is there another text. */
export function putNote(
  live: LiveBook,
  frame: SheetFrame,
  at: CellAddress,
  note: { readonly author: string; readonly text: string },
): void {
  const known = findNote(live, frame, at)
  if (known) {
    const { tree, node } = known
    const text = node.child('x:text')
    const [made] = tree.fragment(textXml(note.text))
    if (text) {
      tree.before(text, [made!])
      tree.remove(text)
    } else tree.append(node, [made!])
    if (note.author !== known.author)
      tree.setAttribute(node, 'authorId', String(authorId(tree, note.author)))
    return
  }
  const tree = ensureComments(live, frame)
  const id = authorId(tree, note.author)
  const list = tree.root.child('x:commentList')!
  tree.append(
    list,
    tree.fragment(
      `<x:comment ref="${cellName(at.row, at.column)}" authorId="${id}" shapeId="0">${textXml(note.text)}</x:comment>`,
    ),
  )
  editDrawing(live, frame, drawing => withNoteShape(drawing, at, note.text))
}

function textXml(text: string): string {
  return `<x:text><x:r><x:rPr><x:sz val="9"/><x:color indexed="81"/><x:rFont val="Tahoma"/><x:family val="2"/></x:rPr><x:t xml:space="preserve">${encodeText(encodeEscapes(text))}</x:t></x:r></x:text>`
}

function ensureComments(live: LiveBook, frame: SheetFrame): LiveTree {
  const known = commentsPart(live, frame)
  if (known !== undefined) {
    const tree = live.tree(known)
    if (!tree.root.child('x:commentList')) tree.append(tree.root, tree.fragment('<x:commentList/>'))
    return tree
  }
  const part = live.package.freeName(`${live.folder}comments`, '.xml')
  const main = mainNamespace(live.package.isStrict)
  live.package.addPart(
    part,
    COMMENTS_TYPE,
    `${XML_DECLARATION}<comments xmlns="${main}"><authors/><commentList/></comments>`,
  )
  live.package.addLink(frame.part, 'comments', part)
  return live.tree(part)
}

function authorId(tree: LiveTree, author: string): number {
  let list = tree.root.child('x:authors')
  if (!list) {
    tree.insert(tree.root, 0, tree.fragment('<x:authors/>'))
    list = tree.root.child('x:authors')!
  }
  const authors = list.children.filter(({ isText }) => !isText)
  const known = authors.findIndex(own => tree.textOf(own) === author)
  if (known >= 0) return known
  tree.append(list, tree.fragment(`<x:author>${encodeText(author)}</x:author>`))
  return authors.length
}

/** The drawing of the sheet's notes and controls; one is made where there is none. */
function editDrawing(
  live: LiveBook,
  frame: SheetFrame,
  change: (drawing: string) => string | undefined,
): void {
  const { tree } = frame
  const id = tree.attribute(frame.find('legacyDrawing'), 'r:id')
  const known = live.package.links(frame.part).find(own => own.id === id)?.target
  const bytes = known === undefined ? undefined : live.package.bytesOf(known)
  if (bytes && !bytes.ok) throw new Refusal('UNREADABLE_FORMAT', bytes.failure.message)
  const before = bytes ? Buffer.from(bytes.value).toString('latin1') : EMPTY_NOTE_DRAWING
  const after = change(before)
  if (after === undefined)
    throw new Refusal(
      'UNREADABLE_FORMAT',
      'the drawing that holds the notes of the sheet cannot be read, so it is kept as it is',
    )
  if (known !== undefined) {
    if (after !== before) live.package.setBytes(known, Buffer.from(after, 'latin1'))
    return
  }
  const part = live.package.freeName(`${live.folder}drawings/vmlDrawing`, '.vml')
  live.package.addPart(part, DRAWING_TYPE, Buffer.from(after, 'latin1'))
  const link = live.package.addLink(frame.part, 'vmlDrawing', part)
  frame.ensureLinked('legacyDrawing', link)
}

export function removeNote(live: LiveBook, frame: SheetFrame, at: CellAddress): void {
  const known = findNote(live, frame, at)
  if (!known) return
  const { tree, node } = known
  tree.remove(node)
  editDrawing(live, frame, drawing => withoutNoteShape(drawing, at))
  const list = tree.root.child('x:commentList')
  if (list?.children.some(({ isText }) => !isText)) return
  dropPart(live, frame, 'comments')
  const id = frame.tree.attribute(frame.find('legacyDrawing'), 'r:id')
  const drawing = live.package.links(frame.part).find(own => own.id === id)
  const bytes = drawing && live.package.bytesOf(drawing.target)
  if (!drawing || !bytes?.ok || hasShapes(withoutTypes(bytes.value))) return
  live.package.removeLink(frame.part, drawing.id)
  live.package.removePart(drawing.target)
  frame.remove('legacyDrawing')
}

function withoutTypes(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString('latin1')
    .replace(/<((?:[\w.-]+:)?shapetype)\b[\s\S]*?<\/\1\s*>/g, '')
}

/** Takes a part of the sheet away with its link. */
export function dropPart(live: LiveBook, { part }: SheetFrame, kind: string): void {
  const link = live.package.links(part).find(own => own.kind === kind)
  if (!link) return
  live.package.removeLink(part, link.id)
  live.package.removePart(link.target)
}
