import type { Fields } from '@filewright/protocol'
import type { OperationResult } from '../../../../format.ts'
import { encodeAttribute } from '../../../../opc/index.ts'
import { textField } from '../../edit/arguments.ts'
import { blockAnchorFor } from '../../edit/block-anchor.ts'
import { type DocumentEditor, invalid } from '../../edit/editor.ts'
import { fieldXml } from '../../edit/field-xml.ts'
import { refuseUnwritable } from '../../edit/new-paragraph.ts'
import { textXml } from '../../edit/text-edit.ts'
import { trackNewParagraph } from '../../edit/tracked-paragraph.ts'
import { placeOf } from '../../story/places.ts'

/** `Figure 3: text`; the number is a field, which counts the captions with that label. */
export function insertCaption(editor: DocumentEditor, operation: Fields): OperationResult {
  const text = textField(operation, 'text', 'what the picture shows')
  const { caption_label: label = 'Figure' } = operation
  if (typeof label !== 'string' || !/^\p{L}[\p{L}\p{N}_]{0,39}$/u.test(label))
    throw invalid('insert_caption: caption_label is one word, such as Figure or Table')
  refuseUnwritable(text)
  const runs = `<w:r>${textXml(`${label} `)}</w:r>${fieldXml(`SEQ ${label} \\* ARABIC`, '1', true)}<w:r>${textXml(`: ${text}`)}</w:r>`
  const id = insertRuns(editor, operation, { style: 'caption', runs, shown: `${label} #: ${text}` })
  return {
    op: 'insert_caption',
    message: `Inserted the caption ${id}; Word numbers the captions when it opens the file.`,
    paragraph: id,
  }
}

/** Only Word knows the pages, so the contents are left to it. */
export function insertToc(editor: DocumentEditor, operation: Fields): OperationResult {
  const { levels = 3 } = operation
  if (!(Number.isInteger(levels) && Number(levels) >= 1 && Number(levels) <= 9))
    throw invalid('insert_toc: levels is a whole number from 1 to 9')
  const code = `TOC \\o "1-${levels}" \\h \\z \\u`
  const runs = fieldXml(code, 'Update this field to show the contents.', true)
  const id = insertRuns(editor, operation, { style: 'toc 1', runs, shown: 'table of contents' })
  return {
    op: 'insert_toc',
    message: `Inserted a table of contents (${id}); Word fills it in when it opens the file.`,
    paragraph: id,
  }
}

/** A new paragraph in a style of the document, if it has that style. */
function insertRuns(
  editor: DocumentEditor,
  operation: Fields,
  { style, runs, shown }: { readonly style: string; readonly runs: string; readonly shown: string },
): string {
  const anchor = blockAnchorFor(editor, operation)
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
