import { encodeAttribute } from '../../../../opc/index.ts'
import type { DocumentArgs } from '../../declared/operations.ts'
import { type BesideArguments, blockAnchorFor } from '../../edit/block-anchor.ts'
import type { DocumentEditor } from '../../edit/editor.ts'
import { fieldXml } from '../../edit/field-xml.ts'
import { refuseUnwritable } from '../../edit/new-paragraph.ts'
import { textXml } from '../../edit/text-edit.ts'
import { trackNewParagraph } from '../../edit/tracked-paragraph.ts'
import { placeOf } from '../../story/places.ts'

/** `Figure 3: text`; the number is a field, which counts the captions with that label. */
export function insertCaption(editor: DocumentEditor, args: DocumentArgs<'insert_caption'>) {
  const { text, caption_label: label } = args
  refuseUnwritable(text)
  const runs = `<w:r>${textXml(`${label} `)}</w:r>${fieldXml(`SEQ ${label} \\* ARABIC`, '1', true)}<w:r>${textXml(`: ${text}`)}</w:r>`
  const id = insertRuns(editor, args, { style: 'caption', runs, shown: `${label} #: ${text}` })
  return {
    op: 'insert_caption',
    message: `Inserted the caption ${id}; Word numbers the captions when it opens the file.`,
    paragraph: id,
  }
}

/** Only Word knows the pages, so the contents are left to it. */
export function insertToc(editor: DocumentEditor, args: DocumentArgs<'insert_toc'>) {
  const code = `TOC \\o "1-${args.levels}" \\h \\z \\u`
  const runs = fieldXml(code, 'Update this field to show the contents.', true)
  const id = insertRuns(editor, args, { style: 'toc 1', runs, shown: 'table of contents' })
  return {
    op: 'insert_toc',
    message: `Inserted a table of contents (${id}); Word fills it in when it opens the file.`,
    paragraph: id,
  }
}

/** A new paragraph in a style of the document, if it has that style. */
function insertRuns(
  editor: DocumentEditor,
  beside: BesideArguments,
  { style, runs, shown }: { readonly style: string; readonly runs: string; readonly shown: string },
): string {
  const anchor = blockAnchorFor(editor, beside)
  const { story, side } = anchor
  const known = editor.manuscript.styles.find(style, 'paragraph')
  const properties = known ? `<w:pPr><w:pStyle w:val="${encodeAttribute(known.id)}"/></w:pPr>` : ''
  const id = editor.newId()
  editor.change(
    {
      kind: 'paragraph',
      place: placeOf(id),
      keys: [id],
      reads: [anchor.id],
      before: null,
      after: () => ({ text: shown }),
      description: `${side} ${anchor.id}`,
    },
    () => {
      const [node] = story.tree.fragment(`<w:p>${properties}${runs}</w:p>`)
      story.assign(node!, id)
      if (side === 'before') story.tree.before(anchor.node, [node!])
      else story.tree.after(anchor.node, [node!])
      if (editor.tracking) trackNewParagraph(story.tree, node!, editor.tracking)
      return true
    },
  )
  return id
}
