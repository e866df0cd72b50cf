import type { Box } from '@filewright/protocol'
import { encodeAttribute, type LiveNode } from '../../../opc/index.ts'
import { intersects, parseBox, refName } from '../cell/address.ts'
import { withoutBoxes } from './box-lists.ts'
import type { LiveBook, SheetFrame } from './live-book.ts'

/** Where a link of cells leads. */
export interface CellLink {
  /** An address outside the workbook. */
  readonly url?: string
  /** A place of the workbook, or in what the address names. */
  readonly location?: string
  readonly tooltip?: string
}

export interface FoundLink extends CellLink {
  readonly box: Box
  readonly node: LiveNode
  readonly id: string | undefined
}

export function linksOf(live: LiveBook, frame: SheetFrame): FoundLink[] {
  const { tree, part } = frame
  const targets = new Map(live.package.links(part).map(own => [own.id, own.target]))
  return (frame.find('hyperlinks')?.children ?? []).flatMap(node => {
    const box = parseBox(tree.attribute(node, 'ref') ?? '')
    if (!box) return []
    const id = tree.attribute(node, 'r:id')
    const url = id === undefined ? undefined : targets.get(id)
    const location = tree.attribute(node, 'location')
    const tooltip = tree.attribute(node, 'tooltip')
    return [
      {
        box,
        node,
        id,
        ...(url !== undefined && { url }),
        ...(location !== undefined && { location }),
        ...(tooltip !== undefined && { tooltip }),
      },
    ]
  })
}

export function describeLink({ url, location, tooltip }: CellLink): string {
  const target = [...(url ? [url] : []), ...(location ? [`#${location}`] : [])].join('')
  return tooltip ? `${target} (${tooltip})` : target
}

/** Takes the cells out of every link; the others keep theirs. */
export function clearLinks(live: LiveBook, frame: SheetFrame, box: Box): number {
  const { tree, part } = frame
  const touched = linksOf(live, frame).filter(own => intersects(own.box, box))
  for (const { node, box: own } of touched) {
    const left = withoutBoxes([own], [box])
    const copies = left.map(rest => {
      const copy = tree.clone(node)
      tree.setAttribute(copy, 'ref', refName(rest))
      return copy
    })
    tree.after(node, copies)
    tree.remove(node)
  }
  const kept = new Set(linksOf(live, frame).map(({ id }) => id))
  for (const { id } of touched)
    if (id !== undefined && !kept.has(id)) live.package.removeLink(part, id)
  const list = frame.find('hyperlinks')
  if (list && !list.children.some(({ isText }) => !isText)) tree.remove(list)
  return touched.length
}

export function putLink(live: LiveBook, frame: SheetFrame, box: Box, link: CellLink): void {
  const { tree, part } = frame
  const { url, location, tooltip } = link
  const id = url === undefined ? undefined : live.package.addLink(part, 'hyperlink', url, true)
  const list = frame.ensure('hyperlinks')
  const attributes = [
    ...(id === undefined ? [] : [`r:id="${id}"`]),
    ...(location === undefined ? [] : [`location="${encodeAttribute(location)}"`]),
    ...(tooltip === undefined ? [] : [`tooltip="${encodeAttribute(tooltip)}"`]),
  ]
  tree.append(list, tree.fragment(`<x:hyperlink ref="${refName(box)}" ${attributes.join(' ')}/>`))
}
