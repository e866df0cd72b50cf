import type { Fields } from '@filewright/protocol'
import type { LiveNode } from '../../../../opc/index.ts'
import { Refusal } from '../../../../refusal.ts'
import { nthField } from '../../../../runs/replacement.ts'
import { type DocumentEditor, invalid } from '../../edit/editor.ts'
import type { Manuscript } from '../../story/manuscript.ts'
import { paragraphById, paragraphsAt, placeOf } from '../../story/places.ts'
import type { Paragraph } from '../../story/story.ts'

/** A picture in the text: the element that shows it. */
export interface FoundPicture {
  readonly paragraph: Paragraph
  readonly node: LiveNode
  readonly run: LiveNode
  readonly label: string
  /** How a review names its place. */
  readonly place: string
}

/** The picture that `place` and `nth` mean; without them the only one of the document. */
export function findPicture(editor: DocumentEditor, operation: Fields): FoundPicture {
  const { manuscript } = editor
  const { id, number } = editor.resolve('picture', () => choose(manuscript, operation))
  const paragraph = paragraphById(manuscript, id)
  const own = picturesIn(paragraph)
  const found = own[number - 1]
  if (!found) throw new Refusal('NO_SUCH_REGION', `there is no picture ${number} in ${id} any more`)
  const which = own.length > 1 ? `, picture ${number}` : ', picture'
  return { ...found, paragraph, place: `${placeOf(id)}${which}` }
}

function choose(manuscript: Manuscript, operation: Fields): { id: string; number: number } {
  const all = paragraphsAt(manuscript, operation.place).flatMap(paragraph =>
    picturesIn(paragraph).map((picture, index) => ({ ...picture, paragraph, number: index + 1 })),
  )
  const nth = nthField(operation)
  const chosen = nth === undefined ? all[0] : all[nth - 1]
  if (!chosen)
    throw new Refusal(
      'NO_SUCH_REGION',
      all.length === 0
        ? `there is no picture ${operation.place === undefined ? 'in the document' : `at ${JSON.stringify(operation.place)}`}; get_file_info lists the pictures with their paragraphs`
        : `there are ${all.length} pictures there, so nth ${nth} is none of them`,
    )
  if (nth === undefined && all.length > 1)
    throw invalid(
      `${all.length} pictures are meant: ${all
        .slice(0, 12)
        .map(({ paragraph, label }) => `${label} in ${paragraph.id}`)
        .join(', ')}; name the paragraph as place, and nth where it has several`,
    )
  return { id: chosen.paragraph.id, number: chosen.number }
}

function picturesIn(paragraph: Paragraph) {
  return paragraph.story.pieces(paragraph).flatMap(({ kind, node, run, label, isDeleted }) => {
    if (kind !== 'token' || !run || isDeleted || !/^picture\b/.test(label)) return []
    return [{ node, run, label }]
  })
}
