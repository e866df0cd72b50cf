import type { DocumentArgs } from '../../declared/operations.ts'
import { type BesideArguments, type BlockAnchor, findBlockAnchor } from '../../edit/block-anchor.ts'
import { type DocumentEditor, invalid } from '../../edit/editor.ts'
import { ensureProperties, putProperty, setProperty } from '../../edit/properties.ts'
import { trackProperties } from '../../edit/tracked-paragraph.ts'
import { isOn } from '../../parts/values.ts'
import { pageSectionsOf } from '../../story/page-sections.ts'
import { paragraphById, placeOf } from '../../story/places.ts'
import { ensureSection, sectionKeys } from './sections.ts'

/** The paragraph starts a page by its own property, so no empty paragraph is left over. */
export function insertPageBreak(editor: DocumentEditor, args: DocumentArgs<'insert_page_break'>) {
  const { next } = editor.resolve('break', () => bordersOf(editor, args))
  if (next === undefined)
    throw invalid('no paragraph follows there directly; insert one, then name it with before')
  const paragraph = paragraphById(editor.manuscript, next)
  const { tree } = paragraph.story
  const own = paragraph.node.child('w:pPr')?.child('w:pageBreakBefore')
  if (own && isOn(tree.attribute(own, 'w:val')))
    throw invalid(`${next} starts a page already; nothing to do`)
  editor.editParagraph(
    paragraph,
    ({ node }) => {
      if (editor.tracking) trackProperties(tree, node, editor.tracking)
      setProperty(tree, ensureProperties(tree, node), '<w:pageBreakBefore/>')
      return true
    },
    { description: 'starts a page' },
  )
  return { op: 'insert_page_break', message: `${next} now starts a page.`, paragraph: next }
}

const STARTS = {
  next_page: 'nextPage',
  continuous: 'continuous',
  even_page: 'evenPage',
  odd_page: 'oddPage',
}

/** Both sections look as the one did: size, margins, headers and footers. */
export function insertSectionBreak(
  editor: DocumentEditor,
  args: DocumentArgs<'insert_section_break'>,
) {
  const { last } = editor.resolve('break', () => bordersOf(editor, args))
  if (last === undefined)
    throw invalid(
      'no paragraph stands directly in front of that place; insert one, then name it with after',
    )
  const paragraph = paragraphById(editor.manuscript, last)
  if (paragraph.node.child('w:pPr')?.child('w:sectPr'))
    throw invalid(`${last} ends a section already; set_page sets up the pages`)
  editor.untracked('a section break')
  const sections = pageSectionsOf(editor.manuscript)
  const following =
    sections.find(
      ({ id }) =>
        id === 'end' || paragraphById(editor.manuscript, id).position > paragraph.position,
    ) ?? sections.at(-1)!
  const around = sectionKeys(following)
  editor.change(
    {
      kind: 'structure',
      place: `section break after ${placeOf(last)}`,
      keys: [last, `page section ${last}`, ...around.keys],
      reads: around.reads,
      before: null,
      after: () => ({ text: `a new section starts after ${last}` }),
    },
    () => {
      const { tree } = paragraph.story
      const later = ensureSection(editor, following)
      const properties = tree.clone(later)
      const change = properties.child('w:sectPrChange')
      if (change) tree.remove(change)
      putProperty(tree, ensureProperties(tree, paragraph.node), properties)
      setProperty(tree, later, `<w:type w:val="${STARTS[args.starts_on]}"/>`)
      const title = later.child('w:titlePg') // the page was no first page before
      if (title) tree.remove(title)
      const numbers = later.child('w:pgNumType')
      if (numbers) tree.setAttribute(numbers, 'w:start', undefined)
      return true
    },
  )
  const number = pageSectionsOf(editor.manuscript).findIndex(({ id }) => id === last) + 1
  return {
    op: 'insert_section_break',
    message: `Page section ${number} now ends with ${last}; section ${number + 1} follows.`,
  }
}

/** The paragraphs around a break, both directly in the body. */
function bordersOf(
  editor: DocumentEditor,
  beside: BesideArguments,
): { readonly last?: string; readonly next?: string } {
  const anchor = findBlockAnchor(editor, beside)
  refuseUnlessInBody(anchor)
  const isBefore = anchor.side === 'before'
  const { body } = editor.manuscript
  const blocks = body.root.children.filter(({ name }) => BLOCKS.has(name))
  const at = blocks.indexOf(anchor.node)
  const idAt = (index: number) =>
    blocks[index]?.name === 'w:p' ? body.idOf(blocks[index]) : undefined
  const last = idAt(isBefore ? at - 1 : at)
  const next = idAt(isBefore ? at : at + 1)
  return { ...(last !== undefined && { last }), ...(next !== undefined && { next }) }
}

const BLOCKS: ReadonlySet<string> = new Set(['w:p', 'w:tbl', 'w:sdt', 'w:customXml'])

function refuseUnlessInBody({ id, node, story }: BlockAnchor): void {
  if (story.name === 'body' && node.parent === story.root) return
  throw invalid(
    `${id} is in a table, a text box, a content control or outside the body, where no page can start; name a paragraph of the body`,
  )
}
