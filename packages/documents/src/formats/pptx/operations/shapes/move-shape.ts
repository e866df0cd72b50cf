import { Refusal } from '../../../../refusal.ts'
import type { DeckArgs } from '../../declared/operations.ts'
import type { DeckEditor } from '../../edit/editor.ts'
import { shapeOf, slideOf } from '../../edit/fields.ts'
import { setBox } from '../../edit/shape-box.ts'
import { toPoints } from '../../parts/values.ts'
import { placeInGroup, placeOnSlide } from '../../slide/group-space.ts'
import type { Shape } from '../../slide/page.ts'
import { boxOf } from './box-fields.ts'

/** Moves or resizes a shape. */
export function moveShape(editor: DeckEditor, args: DeckArgs<'move_shape'>) {
  const { deck } = editor
  const slide = slideOf(editor, args)
  const shape = shapeOf(editor, slide, args.shape)
  const now = placeOnSlide(deck, shape)
  if (!now) throw new Refusal('CONFLICT', `nothing says where ${shape.key} (${shape.name}) stands`)
  const ref = `@${slide.key}/${shape.key}`
  const side = () => ({ format: words(deck, slide.page.shape(shape.key) ?? shape) })
  editor.change(
    {
      kind: 'format',
      place: `${deck.placeOf(ref)} place`,
      keys: [`${ref} looks`],
      reads: [ref, `@${slide.key}`],
      before: side(),
      after: side,
    },
    () => {
      setBox(shape, placeInGroup(shape, boxOf(args, now)))
      return true
    },
  )
  return { op: 'move_shape', message: `${shape.name} on slide ${slide.index} is ${side().format}.` }
}

function words(deck: DeckEditor['deck'], shape: Shape): string {
  const box = placeOnSlide(deck, shape)
  if (!box) return 'somewhere'
  const [left, top, width, height] = [box.left, box.top, box.width, box.height].map(toPoints)
  return `at ${left},${top}, ${width} × ${height}`
}

export function setAltText(editor: DeckEditor, args: DeckArgs<'set_alt_text'>) {
  const slide = slideOf(editor, args)
  const shape = shapeOf(editor, slide, args.shape)
  const { tree } = slide.page
  const ref = `@${slide.key}/${shape.key}`
  const common = shape.node.children.find(({ name }) => /:nv\w*Pr$/.test(name))?.child('p:cNvPr')
  if (!common) throw new Refusal('CONFLICT', `${shape.key} has no properties`)
  const side = () => ({ text: tree.attribute(common, 'descr') ?? '' })
  editor.change(
    {
      kind: 'format',
      place: `${editor.deck.placeOf(ref)} alt text`,
      keys: [`${ref} alt`],
      reads: [ref, `@${slide.key}`],
      before: side(),
      after: side,
    },
    () => {
      tree.setAttribute(common, 'descr', args.alt)
      return true
    },
  )
  return { op: 'set_alt_text', message: `Set the alt text of ${shape.name}.` }
}
