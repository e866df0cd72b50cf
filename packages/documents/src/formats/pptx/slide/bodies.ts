import type { LiveNode, LiveTree } from '../../../opc/index.ts'
import type { Slide } from './deck.ts'
import { isFooter, isTitle } from './inherit.ts'
import type { Shape, ShapePage } from './page.ts'
import { type Ref, toRef } from './refs.ts'
import { cellsOf, tableOf } from './table.ts'

/** Paragraphs that belong together: the text of a shape, of a cell or of the notes. */
export interface TextBody {
  readonly ref: string
  readonly slide: Slide
  readonly shape: Shape
  readonly tree: LiveTree
  readonly node: LiveNode
  readonly cell?: readonly [number, number]
  readonly isNotes: boolean
}

/** Titles first, footers last, all others in the order in which a screen reader meets them: as in the file. */
export function inReadingOrder(page: ShapePage): readonly Shape[] {
  const rank = (shape: Shape) => (isTitle(shape) ? 0 : isFooter(shape) ? 2 : 1)
  return [...page.shapes].sort((a, b) => rank(a) - rank(b))
}

/** All text of a slide that can be edited, in reading order; the notes last. */
export function bodiesOf(slide: Slide): readonly TextBody[] {
  const notes = slide.deck.notesOf(slide)
  return [
    ...inReadingOrder(slide.page).flatMap(shape => ofShape(slide, shape, false)),
    ...(notes ? notes.shapes.flatMap(shape => ofShape(slide, shape, true)) : []),
  ]
}

function ofShape(slide: Slide, shape: Shape, isNotes: boolean): readonly TextBody[] {
  const { tree } = shape.page
  const make = (node: LiveNode, cell?: readonly [number, number]): TextBody => {
    const ref: Ref = { slide: slide.key, isNotes, shape: shape.key, ...(cell && { cell }) }
    return { ref: toRef(ref), slide, shape, tree, node, isNotes, ...(cell && { cell }) }
  }
  if (shape.body) return isNotes && isFooter(shape) ? [] : [make(shape.body)]
  const table = tableOf(shape)
  if (!table) return []
  return cellsOf(tree, table).flatMap(({ node, row, column, isCovered }) => {
    const body = node.child('a:txBody')
    return body && !isCovered ? [make(body, [row, column])] : []
  })
}

/** The body of the notes, as a person writes them. */
export function notesShape(notes: ShapePage): Shape | undefined {
  return (
    notes.shapes.find(({ placeholder, body }) => body && placeholder?.type === 'body') ??
    notes.shapes.find(({ placeholder, body }) => body && placeholder?.type === 'obj')
  )
}
