import {
  encodeAttribute,
  type LiveNode,
  type LiveTree,
  removeWithOwn,
  uriOfPrefix,
} from '../../../opc/index.ts'
import { XML_DECLARATION } from '../book/new-sheet.ts'
import { type CellAddress, cellName } from '../cell/address.ts'
import type { LiveBook, SheetFrame } from './live-book.ts'

const DRAWING_TYPE = 'application/vnd.openxmlformats-officedocument.drawing+xml'
export const EMU_PER_PIXEL = 9525
const ANCHORS = new Set(['xdr:oneCellAnchor', 'xdr:twoCellAnchor', 'xdr:absoluteAnchor'])

/** A chart, a picture or another thing on a sheet, with an anchor of its own. */
export interface DrawnObject {
  readonly kind: 'chart' | 'picture' | 'shape'
  readonly name: string
  readonly alt: string
  /** The cell under its upper left corner; undefined where it is tied to none. */
  readonly cell: string | undefined
  /** In the drawing, by links from it. */
  readonly link: string | undefined
  /** The part that the link leads to. */
  readonly part: string | undefined
  readonly anchor: LiveNode
  readonly node: LiveNode
}

export interface Drawing {
  readonly part: string
  readonly tree: LiveTree
  readonly objects: readonly DrawnObject[]
}

export function findDrawing(live: LiveBook, frame: SheetFrame): Drawing | undefined {
  const id = frame.tree.attribute(frame.find('drawing'), 'r:id')
  const part = live.package.links(frame.part).find(own => own.id === id)?.target
  const tree = live.package.findTree(part)
  if (!tree || part === undefined) return undefined
  const targets = new Map(live.package.links(part).map(own => [own.id, own.target]))
  const objects = tree.root.children.flatMap(anchor => {
    if (!ANCHORS.has(anchor.name)) return []
    const object = objectIn(tree, anchor)
    return object ? [{ ...object, part: targets.get(object.link ?? '') }] : []
  })
  return { part, tree, objects }
}

function objectIn(tree: LiveTree, anchor: LiveNode): Omit<DrawnObject, 'part'> | undefined {
  const node = anchor.children.find(({ name }) =>
    ['xdr:graphicFrame', 'xdr:pic', 'xdr:sp', 'xdr:grpSp', 'xdr:cxnSp'].includes(name),
  )
  if (!node) return undefined
  const [named] = node.all('xdr:cNvPr')
  const from = anchor.child('xdr:from')
  const line = (name: string) => {
    const own = from?.child(name)
    return own ? Number(tree.textOf(own)) + 1 : Number.NaN
  }
  const [row, column] = [line('xdr:row'), line('xdr:col')]
  const [chart] = node.all('c:chart')
  const [blip] = node.name === 'xdr:pic' ? node.all('a:blip') : []
  return {
    kind: chart ? 'chart' : node.name === 'xdr:pic' ? 'picture' : 'shape',
    name: tree.attribute(named, 'name') ?? '',
    alt: tree.attribute(named, 'descr') ?? '',
    cell: Number.isInteger(row) && Number.isInteger(column) ? cellName(row, column) : undefined,
    link: tree.attribute(chart, 'r:id') ?? tree.attribute(blip, 'r:embed'),
    anchor,
    node,
  }
}

/** The drawing of a sheet; one is made where there is none. */
export function ensureDrawing(live: LiveBook, frame: SheetFrame): Drawing {
  const known = findDrawing(live, frame)
  if (known) return known
  const part = live.package.freeName(`${live.folder}drawings/drawing`, '.xml')
  const declared = ['xdr', 'a', 'r']
    .map(prefix => `xmlns:${prefix}="${uriOfPrefix(prefix, live.package.isStrict)}"`)
    .join(' ')
  live.package.addPart(part, DRAWING_TYPE, `${XML_DECLARATION}<xdr:wsDr ${declared}/>`)
  const id = live.package.addLink(frame.part, 'drawing', part)
  frame.ensureLinked('drawing', id)
  return findDrawing(live, frame)!
}

export interface PixelSize {
  readonly width: number
  readonly height: number
}

/** Puts a thing at a cell: `inner` is its element, with the id that it is given. */
export function addAnchored(
  { tree, objects }: Drawing,
  at: CellAddress,
  size: PixelSize,
  inner: (id: number) => string,
): void {
  const ids = [...tree.root.all('xdr:cNvPr')].map(own => Number(tree.attribute(own, 'id')) || 0)
  const id = Math.max(1, objects.length, ...ids) + 1
  const [made] = tree.fragment(
    `<xdr:oneCellAnchor>${fromXml(at)}<xdr:ext cx="${emu(size.width)}" cy="${emu(size.height)}"/>${inner(id)}<xdr:clientData/></xdr:oneCellAnchor>`,
  )
  for (const data of made!.all('a:graphicData'))
    tree.setAttribute(data, 'uri', uriOfPrefix('c', tree.isStrict))
  tree.append(tree.root, [made!])
}

function fromXml({ row, column }: CellAddress): string {
  return `<xdr:from><xdr:col>${column - 1}</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>${row - 1}</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:from>`
}

function emu(pixels: number): number {
  return Math.round(pixels * EMU_PER_PIXEL)
}

/** Another cell for its corner, another size, or both; its anchor then holds one cell. */
export function moveAnchored(
  tree: LiveTree,
  { anchor, node }: DrawnObject,
  at: CellAddress | undefined,
  size: PixelSize,
): void {
  const from = anchor.child('xdr:from')
  const inner = tree.xmlOf(node)
  const client = anchor.child('xdr:clientData')
  const kept = at ? fromXml(at) : from ? tree.xmlOf(from) : fromXml({ row: 1, column: 1 })
  const [made] = tree.fragment(
    `<xdr:oneCellAnchor>${kept}<xdr:ext cx="${emu(size.width)}" cy="${emu(size.height)}"/>${inner}${client ? tree.xmlOf(client) : '<xdr:clientData/>'}</xdr:oneCellAnchor>`,
  )
  tree.after(anchor, [made!])
  tree.remove(anchor)
}

/** Takes a thing off the sheet with the parts that only it used; the last one takes the drawing along. */
export function removeDrawn(live: LiveBook, frame: SheetFrame, object: DrawnObject): void {
  const drawing = findDrawing(live, frame)!
  const { tree, part } = drawing
  const own = drawing.objects.find(({ anchor }) => anchor === object.anchor) ?? object
  tree.remove(own.anchor)
  dropLink(live, drawing, own.link)
  if (tree.root.children.some(({ isText }) => !isText)) return
  const id = frame.tree.attribute(frame.find('drawing'), 'r:id')
  if (id !== undefined) live.package.removeLink(frame.part, id)
  live.package.removePart(part)
  frame.remove('drawing')
}

/** Takes out a link that nothing in the drawing uses, and the part that no other part needs. */
export function dropLink(live: LiveBook, { tree, part }: Drawing, id: string | undefined): void {
  const own = live.package
  const link = own.links(part).find(each => each.id === id)
  if (!link || usesLink(tree, tree.root, link.id)) return
  own.removeLink(part, link.id)
  const isNeeded = own.names.some(
    name => !/\.rels$/i.test(name) && own.links(name).some(({ target }) => target === link.target),
  )
  if (!link.isExternal && !isNeeded) removeWithOwn(own, link.target)
}

function usesLink(tree: LiveTree, node: LiveNode, id: string): boolean {
  if (node.isText) return false
  const isOwn = tree
    .attributesOf(node)
    .some(({ name, value }) => name.startsWith('r:') && value === id)
  return isOwn || node.children.some(child => usesLink(tree, child, id))
}

export function chartFrameXml(id: number, name: string, link: string): string {
  return `<xdr:graphicFrame macro=""><xdr:nvGraphicFramePr><xdr:cNvPr id="${id}" name="${encodeAttribute(name)}"/><xdr:cNvGraphicFramePr/></xdr:nvGraphicFramePr><xdr:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/></xdr:xfrm><a:graphic><a:graphicData><c:chart r:id="${link}"/></a:graphicData></a:graphic></xdr:graphicFrame>`
}

export function pictureXml(
  id: number,
  name: string,
  alt: string,
  link: string,
  { width, height }: PixelSize,
): string {
  return `<xdr:pic><xdr:nvPicPr><xdr:cNvPr id="${id}" name="${encodeAttribute(name)}" descr="${encodeAttribute(alt)}"/><xdr:cNvPicPr><a:picLocks noChangeAspect="1"/></xdr:cNvPicPr></xdr:nvPicPr><xdr:blipFill><a:blip r:embed="${link}"/><a:stretch><a:fillRect/></a:stretch></xdr:blipFill><xdr:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="${emu(width)}" cy="${emu(height)}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></xdr:spPr></xdr:pic>`
}

/** How large it is drawn, by its own size or the cells between its corners. */
export function sizeOf(tree: LiveTree, anchor: LiveNode, cells: CellSizes): PixelSize {
  const ext = anchor.child('xdr:ext')
  if (ext)
    return {
      width: Number(tree.attribute(ext, 'cx')) / EMU_PER_PIXEL,
      height: Number(tree.attribute(ext, 'cy')) / EMU_PER_PIXEL,
    }
  const edge = (corner: string, name: string) => {
    const own = anchor.child(corner)?.child(name)
    return own ? Number(tree.textOf(own)) : 0
  }
  const between = (line: string, offset: string, size: (line: number) => number) => {
    const [first, last] = [edge('xdr:from', line), edge('xdr:to', line)]
    let sum = (edge('xdr:to', offset) - edge('xdr:from', offset)) / EMU_PER_PIXEL
    for (let at = first; at < last; at++) sum += size(at + 1)
    return Math.max(1, Math.round(sum))
  }
  return {
    width: between('xdr:col', 'xdr:colOff', cells.width),
    height: between('xdr:row', 'xdr:rowOff', cells.height),
  }
}

/** The sizes of lines in pixels. */
export interface CellSizes {
  width(column: number): number
  height(row: number): number
}
