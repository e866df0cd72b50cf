import { encodeAttribute, encodeText, Splices, type XmlElement } from '../../../opc/index.ts'
import { setAttribute } from '../book/splice-rows.ts'
import { parseBox, refName } from '../cell/address.ts'
import { movedBox, type PlaceMap } from './shift-run.ts'

/** The attribute with the cells an element is about, by the element's name, in a sheet and in the parts that belong to it. */
const REFERENCE_OF: Readonly<Record<string, string>> = {
  dimension: 'ref',
  protectedRange: 'sqref',
  scenarios: 'sqref',
  inputCells: 'r',
  autoFilter: 'ref',
  sortState: 'ref',
  sortCondition: 'ref',
  mergeCell: 'ref',
  hyperlink: 'ref',
  cellWatch: 'r',
  ignoredError: 'sqref',
  cellSmartTags: 'r',
  webPublishItem: 'sourceRef',
  comment: 'ref',
  threadedComment: 'ref',
  singleXmlCell: 'r',
}

/** What belongs to cells as they are, and gains none. */
const PLAIN = new Set(['mergeCell', 'hyperlink', 'inputCells', 'comment', 'threadedComment'])

/** Lists that a spreadsheet program does not accept empty. */
const LISTS = new Set([
  'mergeCells',
  'hyperlinks',
  'protectedRanges',
  'ignoredErrors',
  'cellWatches',
  'smartTags',
  'webPublishItems',
  'sparklines',
  'sparklineGroup',
  'sparklineGroups',
  'scenarios',
  'scenario',
  'sortState',
  'conditionalFormattings',
  'dataValidations',
  'ext',
  'extLst',
])

/** Maps a list of ranges; undefined: none of their cells is left. */
export function mapRanges(places: PlaceMap, sqref: string, isPlain = false): string | undefined {
  const after = sqref
    .split(/\s+/)
    .filter(own => own !== '')
    .flatMap(own => {
      const box = parseBox(own)
      if (!box) return [own]
      const to = isPlain ? movedBox(places, box) : places.box(box)
      return to ? [sameBox(box, to) ? own : refName(to)] : []
    })
  return after.length > 0 ? after.join(' ') : undefined
}

function sameBox(a: object, b: object): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** What else happens to an element; its edits belong to the tree it is given, in case a parent goes. */
export type ElementShift = (element: XmlElement, tree: ShiftedTree) => 'gone' | 'done' | undefined

export interface ShiftedTree {
  readonly splices: Splices
  readonly bytes: Uint8Array
  /** Where the tree's bytes start in the part. */
  readonly offset: number
}

/** Moves the references of a tree; an element whose cells are all gone goes too. Returns whether the root itself did. */
export function shiftTree(
  tree: ShiftedTree,
  element: XmlElement,
  places: PlaceMap,
  also: ElementShift,
): boolean {
  const own = also(element, tree)
  if (own === 'done') return false
  if (own === 'gone') return remove(tree, element)
  if (element.local === 'mergeCell' && isUnmerged(element, places)) return remove(tree, element)
  const name = REFERENCE_OF[element.local]
  const attribute = element.attributes.find(candidate => candidate.name === name)
  if (attribute) {
    const after = mapRanges(places, attribute.value, PLAIN.has(element.local))
    if (after === undefined) return remove(tree, element)
    setAttribute(tree.splices, element, tree.offset, attribute.name, encodeAttribute(after))
  }
  return shiftChildren(tree, element, places, also)
}

function isUnmerged(element: XmlElement, places: PlaceMap): boolean {
  const box = parseBox(element.attributes.find(({ name }) => name === 'ref')?.value ?? '')
  const to = box && movedBox(places, box)
  return to !== undefined && to.top === to.bottom && to.left === to.right
}

function shiftChildren(
  tree: ShiftedTree,
  element: XmlElement,
  places: PlaceMap,
  also: ElementShift,
): boolean {
  const { splices, offset } = tree
  // Dropped if the element itself goes.
  const held = { ...tree, splices: new Splices() }
  let gone = 0
  for (const child of element.children) if (shiftTree(held, child, places, also)) gone++
  const isEmpty = gone > 0 && gone === element.children.filter(isEntry).length
  if (isEmpty && LISTS.has(element.local)) return remove(tree, element)
  held.splices.addTo(splices)
  const count = element.attributes.find(({ name }) => name === 'count')
  if (gone > 0 && count)
    setAttribute(splices, element, offset, 'count', String(element.children.length - gone))
  return false
}

/** A group of sparklines has colours beside its entries. */
function isEntry({ local }: XmlElement): boolean {
  return !local.startsWith('color') && local !== 'f'
}

function remove({ splices, offset }: ShiftedTree, element: XmlElement): boolean {
  splices.remove(offset + element.start, offset + element.end)
  return true
}

/** Replaces the text of an element. */
export function setText({ splices, offset }: ShiftedTree, element: XmlElement, text: string): void {
  splices.replace(offset + element.openEnd, offset + element.closeStart, encodeText(text))
}
