import type { LiveNode } from '../../../../opc/index.ts'
import { Refusal } from '../../../../refusal.ts'
import { refuseBelowFirst } from '../../../../runs/replacement.ts'
import { type DocumentEditor, invalid } from '../../edit/editor.ts'
import type { Manuscript } from '../../story/manuscript.ts'
import { type PlaceArgument, paragraphById, paragraphsAt, placeOf } from '../../story/places.ts'
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

/** The picture or chart that `place` and `nth` mean; without them the only one of the document. */
export function findPicture(
  editor: DocumentEditor,
  wanted: WantedPicture,
  kind: PictureKind = 'picture',
): FoundPicture {
  const { manuscript } = editor
  const { id, number } = editor.resolve(kind, () => choose(manuscript, wanted, kind))
  const paragraph = paragraphById(manuscript, id)
  const own = picturesIn(paragraph, kind)
  const found = own[number - 1]
  if (!found) throw new Refusal('NO_SUCH_REGION', `there is no ${kind} ${number} in ${id} any more`)
  const which = own.length > 1 ? `, ${kind} ${number}` : `, ${kind}`
  return { ...found, paragraph, place: `${placeOf(id)}${which}` }
}

interface WantedPicture {
  readonly place?: PlaceArgument | undefined
  readonly nth?: number | undefined
}

type PictureKind = 'picture' | 'chart'

function choose(
  manuscript: Manuscript,
  { place, nth }: WantedPicture,
  kind: PictureKind,
): { id: string; number: number } {
  refuseBelowFirst(nth)
  const all = paragraphsAt(manuscript, place).flatMap(paragraph =>
    picturesIn(paragraph, kind).map((picture, index) => ({
      ...picture,
      paragraph,
      number: index + 1,
    })),
  )
  const chosen = nth === undefined ? all[0] : all[nth - 1]
  if (!chosen)
    throw new Refusal(
      'NO_SUCH_REGION',
      all.length === 0
        ? `there is no ${kind} ${place === undefined ? 'in the document' : `at ${JSON.stringify(place)}`}; get_file_info lists the ${kind}s with their paragraphs`
        : `there are ${all.length} ${kind}s there, so nth ${nth} is none of them`,
    )
  if (nth === undefined && all.length > 1)
    throw invalid(
      `${all.length} ${kind}s are meant: ${all
        .slice(0, 12)
        .map(({ paragraph, label }) => `${label} in ${paragraph.id}`)
        .join(', ')}; name the paragraph as place, and nth where it has several`,
    )
  return { id: chosen.paragraph.id, number: chosen.number }
}

function picturesIn(paragraph: Paragraph, wanted: PictureKind) {
  return paragraph.story.pieces(paragraph).flatMap(({ kind, node, run, label, isDeleted }) => {
    if (kind !== 'token' || !run || isDeleted || label.split(' ')[0] !== wanted) return []
    return [{ node, run, label }]
  })
}
