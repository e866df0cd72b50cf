import type { LiveNode } from '../../../packages/documents/src/opc/index.ts'
import { twice } from '../office-file.ts'
import type { RepairRule } from '../rule.ts'
import { type StoryPart, storiesOf } from './stories.ts'

/** Elements and what they may not stand in, with the border at which the search upwards ends. */
const NEVER_IN: readonly (readonly [string, string, string])[] = [
  ['w:p', 'w:p', 'w:txbxContent'],
  ['w:tbl', 'w:p', 'w:txbxContent'],
  ['w:r', 'w:r', 'w:txbxContent'],
  ['w:hyperlink', 'w:hyperlink', 'w:txbxContent'],
  ['w:tc', 'w:p', 'w:txbxContent'],
  ['w:sectPr', 'w:tc', 'w:body'],
  ['w:sectPr', 'w:txbxContent', 'w:body'],
]
const FIRST = ['w:pPr', 'w:rPr', 'w:tcPr', 'w:sdtPr']
const BLOCKS: ReadonlySet<string> = new Set([
  'w:p',
  'w:tbl',
  'w:sdt',
  'w:customXml',
  'w:altChunk',
  'm:oMathPara',
])

const nesting: RepairRule = {
  id: 'docx/nesting',
  *check(file) {
    for (const story of storiesOf(file))
      for (const node of story.elements)
        for (const [name, around, border] of NEVER_IN)
          if (node.name === name && within(node, around, border))
            yield `${name} of ${story.name} stands in ${around}`
  },
}

function within(node: LiveNode, around: string, border: string): boolean {
  for (let at = node.parent; at && at.name !== border; at = at.parent)
    if (at.name === around) return true
  return false
}

const propertiesNotFirst: RepairRule = {
  id: 'docx/properties-not-first',
  *check(file) {
    for (const story of storiesOf(file))
      for (const node of story.elements)
        if (FIRST.includes(node.name) && node.parent && /^w:(p|r|tc|sdt)$/.test(node.parent.name)) {
          const first = node.parent.children.find(({ isText }) => !isText)
          if (first !== node)
            yield `${node.name} of ${story.name} is not the first of its ${node.parent.name}`
        }
  },
}

const sectionMisplaced: RepairRule = {
  id: 'docx/section-misplaced',
  *check(file) {
    for (const story of storiesOf(file))
      for (const node of story.elements) {
        if (node.name !== 'w:sectPr' || node.parent?.name === 'w:sectPrChange') continue
        const parent = node.parent!
        if (story.kind !== 'document') yield `${story.name} has a section`
        else if (parent.name === 'w:body') {
          if (parent.children.findLast(({ isText }) => !isText) !== node)
            yield 'the section of the body is not its last element'
        } else if (parent.name !== 'w:pPr') yield `a section stands in ${parent.name}`
      }
  },
}

const marginTwice: RepairRule = {
  id: 'docx/header-twice',
  *check(file) {
    for (const { tree, elements } of storiesOf(file))
      for (const section of elements.filter(({ name }) => name === 'w:sectPr'))
        for (const kind of ['w:headerReference', 'w:footerReference']) {
          const types = section.children
            .filter(({ name }) => name === kind)
            .map(node => tree.attribute(node, 'w:type') ?? 'default')
          for (const type of twice(types)) yield `a section has two ${kind} of the type ${type}`
        }
  },
}

const marginKind: RepairRule = {
  id: 'docx/header-of-another-kind',
  *check(file) {
    for (const { name, tree, elements } of storiesOf(file)) {
      const kinds = new Map(file.links(name).map(({ id, kind }) => [id, kind]))
      for (const node of elements) {
        const wanted = /^w:(header|footer)Reference$/.exec(node.name)?.[1]
        const kind = kinds.get(tree.attribute(node, 'r:id') ?? '')
        if (wanted && kind !== undefined && kind !== wanted) yield `${node.name} names a ${kind}`
      }
    }
  },
}

const deletedText: RepairRule = {
  id: 'docx/deleted-text',
  *check(file) {
    for (const story of storiesOf(file))
      for (const node of story.elements) {
        const isDeleted = node.closest('w:del') !== undefined
        if (node.name === 'w:t' && isDeleted && !within(node, 'w:txbxContent', 'w:del'))
          yield `text in a deletion of ${story.name} is not marked as deleted`
        if (/^w:del(Instr)?Text$/.test(node.name) && !isDeleted && !node.closest('w:moveFrom'))
          yield `deleted text of ${story.name} stands in no deletion`
      }
  },
}

const spaceLost: RepairRule = {
  id: 'docx/space-lost',
  *check(file) {
    for (const { name, tree, elements } of storiesOf(file))
      for (const node of elements)
        if (
          /^w:(t|delText|instrText)$/.test(node.name) &&
          /^[ \t\n]|[ \t\n]$/.test(tree.textOf(node)) &&
          !preserves(tree, node)
        )
          yield `text of ${name} begins or ends with a space that is not preserved`
  },
}

function preserves(tree: StoryPart['tree'], node: LiveNode): boolean {
  for (let at: LiveNode | null = node; at; at = at.parent) {
    const own = tree.attribute(at, 'xml:space')
    if (own !== undefined) return own === 'preserve'
  }
  return false
}

const emptyControl: RepairRule = {
  id: 'docx/content-control-without-content',
  *check(file) {
    for (const story of storiesOf(file))
      for (const node of story.elements)
        if (node.name === 'w:sdt' && !node.child('w:sdtContent'))
          yield `a content control of ${story.name} has no content`
  },
}

const storyWithoutParagraph: RepairRule = {
  id: 'docx/story-without-paragraph',
  *check(file) {
    for (const story of storiesOf(file))
      for (const node of story.elements)
        if (
          /^w:(hdr|ftr|footnote|endnote|comment|txbxContent)$/.test(node.name) &&
          !node.children.some(({ name }) => BLOCKS.has(name))
        )
          yield `${node.name} of ${story.name} has no paragraph`
  },
}

export const STRUCTURE_RULES: readonly RepairRule[] = [
  nesting,
  propertiesNotFirst,
  sectionMisplaced,
  marginTwice,
  marginKind,
  deletedText,
  spaceLost,
  emptyControl,
  storyWithoutParagraph,
]
