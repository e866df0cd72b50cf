import type { DeckArgs } from '../../declared/operations.ts'
import type { DeckEditor } from '../../edit/editor.ts'
import { slideOf } from '../../edit/fields.ts'
import { linesOf, setLines } from '../../edit/lines.ts'
import { addShape } from '../../edit/placeholders.ts'
import { addingShape, boxOf, boxXml, middleOf } from './box-fields.ts'

/** A box with text that grows with it. */
export function addTextBox(editor: DeckEditor, args: DeckArgs<'add_text_box'>) {
  const { text, size, bold } = args
  const lines = linesOf(text, 'text')
  const slide = slideOf(editor, args)
  const id = editor.newId(slide.page)
  const usual = middleOf(slide)
  const high = Math.round(lines.length * (size ?? 18) * 1.2 * 12_700 + 91_440)
  const box = boxOf(args, { ...usual, height: high })
  const name = 'TextBox'
  const look = `<a:endParaRPr${size === undefined ? '' : ` sz="${Math.round(size * 100)}"`}${bold ? ' b="1"' : ''}/>`
  addingShape(editor, slide, id, name, {
    kind: 'shape',
    text,
    make: () => {
      const { tree, shapeTree } = slide.page
      const [node] = tree.fragment(
        `<p:sp><p:nvSpPr><p:cNvPr id="${id}" name="${name}"/><p:cNvSpPr txBox="1"/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm>${boxXml(box)}</a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom><a:noFill/></p:spPr><p:txBody><a:bodyPr wrap="square" rtlCol="0"><a:spAutoFit/></a:bodyPr><a:lstStyle/><a:p>${look}</a:p></p:txBody></p:sp>`,
      )
      addShape(tree, shapeTree, node!)
      setLines(tree, node!.child('p:txBody')!, lines)
    },
  })
  return {
    op: 'add_text_box',
    message: `Added a text box to slide ${slide.index}.`,
    shape: id,
  }
}
