import {
  encodeAttribute,
  type LiveNode,
  type LiveTree,
  uriOfPrefix,
} from '../../../../opc/index.ts'
import { removeProperty } from '../../edit/properties.ts'
import type { ListDefinition } from '../../parts/numbering.ts'
import { numberOf } from '../../parts/values.ts'
import type { Manuscript } from '../../story/manuscript.ts'

const TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml.numbering+xml'
const BULLETS = ['•', 'o', '▪']
const FORMATS = ['decimal', 'lowerLetter', 'lowerRoman']

/** The number that the paragraphs of a new list name: of the document's own list style where it has one. */
export function newList(
  manuscript: Manuscript,
  isOrdered: boolean,
  styleId: string | undefined,
  start: number,
): string {
  const tree = numberingTree(manuscript)
  const own = styleId === undefined ? undefined : listOfStyle(manuscript, styleId)
  if (own !== undefined && !isOrdered) return own.numId
  const abstractId = own ? ownDefinition(tree, own) : addDefinition(tree, isOrdered)
  return addNumber(tree, abstractId, isOrdered ? { level: 0, start } : undefined)
}

/** A new list of the same look. It has a definition of its own: lists that share one count together. */
export function listLike(manuscript: Manuscript, like: ListDefinition, start: number): string {
  const tree = numberingTree(manuscript)
  return addNumber(tree, ownDefinition(tree, like), { level: 0, start })
}

function ownDefinition(tree: LiveTree, { abstractId }: ListDefinition): string {
  const definition = tree.root.children.find(
    node => node.name === 'w:abstractNum' && tree.attribute(node, 'w:abstractNumId') === abstractId,
  )
  if (!definition) return abstractId
  const id = String(highest(tree, 'w:abstractNum', 'w:abstractNumId') + 1)
  const made = tree.clone(definition)
  freeDefinition(tree, made, id)
  insertDefinition(tree, [made])
  return id
}

/** Without the names by which Word takes it for the same list, and the styles of its levels. */
function freeDefinition(tree: LiveTree, made: LiveNode, id: string): void {
  tree.setAttribute(made, 'w:abstractNumId', id)
  for (const name of ['w:nsid', 'w:tmpl', 'w:styleLink', 'w:numStyleLink'])
    removeProperty(tree, made, name)
  for (const level of made.all('w:lvl')) removeProperty(tree, level, 'w:pStyle')
}

/** The same list, which counts anew. */
export function restartedList(
  manuscript: Manuscript,
  { abstractId }: ListDefinition,
  first: { readonly level: number; readonly start: number },
): string {
  return addNumber(numberingTree(manuscript), abstractId, first)
}

function addNumber(
  tree: LiveTree,
  abstractId: string,
  first: { readonly level: number; readonly start: number } | undefined,
): string {
  const numId = String(highest(tree, 'w:num', 'w:numId') + 1)
  const restart = first
    ? `<w:lvlOverride w:ilvl="${first.level}"><w:startOverride w:val="${first.start}"/></w:lvlOverride>`
    : ''
  const made = tree.fragment(
    `<w:num w:numId="${numId}"><w:abstractNumId w:val="${encodeAttribute(abstractId)}"/>${restart}</w:num>`,
  )
  insertNumber(tree, made)
  return numId
}

interface CopiedList {
  /** The XML of a definition, or the id of one that was copied before. */
  readonly definition: string
  readonly isCopied: boolean
  readonly number: string
}

/** A list of another document. Styles that belong to its levels stay behind. */
export function copiedDefinition(
  manuscript: Manuscript,
  { definition, isCopied, number }: CopiedList,
): { readonly abstractId: string; readonly numId: string } {
  const tree = numberingTree(manuscript)
  const abstractId = isCopied
    ? definition
    : String(highest(tree, 'w:abstractNum', 'w:abstractNumId') + 1)
  if (!isCopied) {
    const [made] = tree.fragment(definition)
    freeDefinition(tree, made!, abstractId)
    for (const level of made!.all('w:lvl')) removeProperty(tree, level, 'w:lvlPicBulletId')
    insertDefinition(tree, [made!])
  }
  const numId = String(highest(tree, 'w:num', 'w:numId') + 1)
  const [copy] = tree.fragment(number)
  tree.setAttribute(copy!, 'w:numId', numId)
  const link = copy!.child('w:abstractNumId')
  if (link) tree.setAttribute(link, 'w:val', abstractId)
  insertNumber(tree, [copy!])
  return { abstractId, numId }
}

function insertDefinition(tree: LiveTree, made: readonly LiveNode[]): void {
  const last = tree.root.children.findLastIndex(({ name }) => name === 'w:abstractNum')
  const pictures = tree.root.children.findLastIndex(({ name }) => name === 'w:numPicBullet')
  tree.insert(tree.root, Math.max(last, pictures) + 1, made)
}

function insertNumber(tree: LiveTree, made: readonly LiveNode[]): void {
  const last = tree.root.children.findLastIndex(
    ({ name }) => name === 'w:num' || name === 'w:abstractNum',
  )
  tree.insert(tree.root, last + 1, made)
}

/** Only a list with levels below the first serves nested items. */
function listOfStyle(manuscript: Manuscript, styleId: string) {
  const { styles, numbering } = manuscript
  const numId = styles.listNumber(styleId)
  const list = numId === undefined ? undefined : numbering.lists.get(numId)
  return list && list.levels.filter(Boolean).length >= 3 ? list : undefined
}

function numberingTree({ package: own }: Manuscript): LiveTree {
  const known = own.linkedTree('numbering')
  if (known) return known
  const uri = uriOfPrefix('w', own.main.isStrict)
  const name = own.freeName('word/numbering', '.xml')
  own.addPart(
    name,
    TYPE,
    `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<w:numbering xmlns:w="${uri}"/>`,
  )
  own.addLink(own.mainName, 'numbering', name)
  return own.linkedTree('numbering')!
}

function addDefinition(tree: LiveTree, isOrdered: boolean): string {
  const id = String(highest(tree, 'w:abstractNum', 'w:abstractNumId') + 1)
  const levels = Array.from({ length: 9 }, (_, level) => {
    const format = isOrdered ? FORMATS[level % 3]! : 'bullet'
    const text = isOrdered ? `%${level + 1}.` : BULLETS[level % 3]!
    return `<w:lvl w:ilvl="${level}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/><w:lvlJc w:val="left"/><w:pPr><w:ind w:left="${720 * (level + 1)}" w:hanging="360"/></w:pPr></w:lvl>`
  })
  const made = tree.fragment(
    `<w:abstractNum w:abstractNumId="${id}"><w:multiLevelType w:val="hybridMultilevel"/>${levels.join('')}</w:abstractNum>`,
  )
  insertDefinition(tree, made)
  return id
}

function highest(tree: LiveTree, name: string, attribute: string): number {
  return tree.root.children.reduce(
    (most, node: LiveNode) =>
      node.name === name ? Math.max(most, numberOf(tree.attribute(node, attribute)) ?? 0) : most,
    0,
  )
}
