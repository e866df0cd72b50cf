import { type LiveNode, type LiveTree, uriOfPrefix } from '../../../../opc/index.ts'
import { numberOf, valOf } from '../../parts/values.ts'
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
  const abstractId = own?.abstractId ?? addDefinition(tree, isOrdered)
  const numId = String(highest(tree, 'w:num', 'w:numId') + 1)
  const restart = isOrdered
    ? `<w:lvlOverride w:ilvl="0"><w:startOverride w:val="${start}"/></w:lvlOverride>`
    : ''
  const made = tree.fragment(
    `<w:num w:numId="${numId}"><w:abstractNumId w:val="${abstractId}"/>${restart}</w:num>`,
  )
  const last = tree.root.children.findLastIndex(
    ({ name }) => name === 'w:num' || name === 'w:abstractNum',
  )
  tree.insert(tree.root, last + 1, made)
  return numId
}

/** Only a list with levels below the first serves nested items. */
function listOfStyle(manuscript: Manuscript, styleId: string) {
  const { styles, numbering } = manuscript
  const numbers = styles.paragraphProperty(styleId, 'w:numPr')
  const numId = styles.tree && valOf(styles.tree, numbers, 'w:numId')
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
  const last = tree.root.children.findLastIndex(({ name }) => name === 'w:abstractNum')
  const pictures = tree.root.children.findLastIndex(({ name }) => name === 'w:numPicBullet')
  tree.insert(tree.root, Math.max(last, pictures) + 1, made)
  return id
}

function highest(tree: LiveTree, name: string, attribute: string): number {
  return tree.root.children.reduce(
    (most, node: LiveNode) =>
      node.name === name ? Math.max(most, numberOf(tree.attribute(node, attribute)) ?? 0) : most,
    0,
  )
}
