import { counted } from '@filewright/protocol'
import type { LiveNode, LiveTree } from '../../../../opc/index.ts'
import { encodeAttribute } from '../../../../opc/index.ts'
import type { DocumentArgs } from '../../declared/operations.ts'
import { type DocumentEditor, invalid } from '../../edit/editor.ts'
import { ensureProperties, removeProperty, setProperty } from '../../edit/properties.ts'
import { trackProperties } from '../../edit/tracked-paragraph.ts'
import { headingsAt, paragraphsAt } from '../../story/places.ts'
import type { Paragraph } from '../../story/story.ts'
import { describeLook } from '../../view/describe-look.ts'
import { directOf, isDirect } from '../../view/direct-formatting.ts'

/** Sets the style of paragraphs; direct formatting that still wins is named, or cleared when asked. */
export function setStyle(
  editor: DocumentEditor,
  { place, style: wanted, clear_direct }: DocumentArgs<'set_style'>,
) {
  const { manuscript } = editor
  const style = manuscript.styles.find(wanted, 'paragraph')
  if (!style)
    throw invalid(
      `there is no paragraph style ${JSON.stringify(wanted)}; the styles are ${manuscript.styles.names('paragraph').slice(0, 40).join(', ')}`,
    )
  const ids = editor.resolve('places', () =>
    // nobody makes headings of a whole section
    (manuscript.styles.headingLevel(style.id) === undefined ? paragraphsAt : headingsAt)(
      manuscript,
      place,
    ).map(({ id }) => id),
  )
  const overrides = new Map<string, string[]>()
  const done = ids.filter(id => {
    const paragraph = editor.paragraphToEdit(id)
    if (!paragraph) return false
    const changed = styleOne(editor, paragraph, style.id, clear_direct === true)
    const left = directOf(paragraph.node)
    if (left.length > 0) overrides.set(id, left)
    return changed
  })
  if (overrides.size > 0)
    editor.warn(
      `Direct formatting still overrides the style: ${[...overrides]
        .slice(0, 5)
        .map(([id, names]) => `${id} (${names.join(', ')})`)
        .join('; ')}. clear_direct: true removes it.`,
    )
  return {
    op: 'set_style',
    message: `Set the style ${style.name} of ${counted(done.length, 'paragraph')}.`,
    paragraphs: done,
  }
}

function styleOne(
  editor: DocumentEditor,
  paragraph: Paragraph,
  styleId: string,
  clears: boolean,
): boolean {
  const { story } = paragraph
  const { tree } = story
  const hasStyle = story.styleIdOf(paragraph.node) === styleId
  if (hasStyle && !(clears && directOf(paragraph.node).length > 0)) return false
  const side = () => ({
    ...editor.sideOf(paragraph),
    format: describeLook(editor.manuscript, paragraph),
  })
  return editor.editParagraph(
    paragraph,
    ({ node }) => {
      if (editor.tracking) trackProperties(tree, node, editor.tracking)
      setProperty(
        tree,
        ensureProperties(tree, node),
        `<w:pStyle w:val="${encodeAttribute(styleId)}"/>`,
      )
      if (clears) clearDirect(editor, tree, node)
      return true
    },
    { kind: 'format', side, reads: [`style ${styleId}`] },
  )
}

function clearDirect(editor: DocumentEditor, tree: LiveTree, node: LiveNode): void {
  const clear = (properties: LiveNode | undefined) => {
    for (const { name } of [...(properties?.children ?? [])])
      if (isDirect(name)) removeProperty(tree, properties, name)
  }
  clear(node.child('w:pPr'))
  for (const run of [...node.all('w:r')]) {
    if (!run.child('w:rPr')) continue
    if (editor.tracking) trackProperties(tree, run, editor.tracking)
    clear(run.child('w:rPr'))
  }
}
