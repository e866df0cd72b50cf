import type { LiveNode, LiveTree } from '../../../opc/index.ts'
import type { Deck } from '../slide/deck.ts'

/** How the slides of one deck are put onto those of another: scaled, then moved (English Metric Units). */
export interface Scale {
  readonly factor: number
  readonly left: number
  readonly top: number
}

/** What fits and stays in proportion; undefined where both decks have slides of one size. */
export function scaleBetween({ size: from }: Deck, { size: to }: Deck): Scale | undefined {
  if (from.width === to.width && from.height === to.height) return undefined
  const factor = Math.min(to.width / from.width, to.height / from.height)
  return {
    factor,
    left: Math.round((to.width - from.width * factor) / 2),
    top: Math.round((to.height - from.height * factor) / 2),
  }
}

const LENGTHS: Readonly<Record<string, readonly string[]>> = {
  'a:rPr': ['sz', 'spc'],
  'a:endParaRPr': ['sz', 'spc'],
  'a:defRPr': ['sz', 'spc'],
  'a:pPr': ['marL', 'marR', 'indent', 'defTabSz'],
  'a:bodyPr': ['lIns', 'tIns', 'rIns', 'bIns', 'spcCol'],
  'a:tcPr': ['marL', 'marR', 'marT', 'marB'],
  'a:spcPts': ['val'],
  'a:buSzPts': ['val'],
  'a:tab': ['pos'],
  'a:gridCol': ['w'],
  'a:tr': ['h'],
}
const LINES = /^a:ln([LRTB]|TlToBr|BlToTr)?$/
const LEVELS = /^a:lvl\dpPr$/

/** Scales whatever has a length on a slide, a layout, a master or in a chart. */
export function scalePage(tree: LiveTree, scale: Scale): void {
  const see = (node: LiveNode, isInGroup: boolean): void => {
    if (node.isText) return
    if (/^[ap]:xfrm$/.test(node.name)) {
      if (!isInGroup) place(tree, node, scale)
      return
    }
    const names = LINES.test(node.name)
      ? ['w']
      : LENGTHS[LEVELS.test(node.name) ? 'a:pPr' : node.name]
    for (const name of names ?? []) multiply(tree, node, name, scale.factor)
    // what a group holds is measured in units of the group
    const isGroup = node.name === 'p:grpSp'
    for (const child of node.children)
      see(child, isInGroup || (isGroup && child.name !== 'p:grpSpPr'))
  }
  see(tree.root, false)
}

function place(tree: LiveTree, transform: LiveNode, { factor, left, top }: Scale): void {
  const { parent } = transform
  if (parent?.name === 'p:grpSpPr' && parent.parent?.name === 'p:spTree') return // the whole page
  const offset = transform.child('a:off')
  const extent = transform.child('a:ext')
  if (offset) {
    multiply(tree, offset, 'x', factor, left)
    multiply(tree, offset, 'y', factor, top)
  }
  if (extent) for (const name of ['cx', 'cy']) multiply(tree, extent, name, factor)
}

function multiply(tree: LiveTree, node: LiveNode, name: string, factor: number, plus = 0): void {
  const value = Number(tree.attribute(node, name) ?? Number.NaN)
  if (Number.isFinite(value) && (value !== 0 || plus !== 0))
    tree.setAttribute(node, name, String(Math.round(value * factor) + plus))
}
