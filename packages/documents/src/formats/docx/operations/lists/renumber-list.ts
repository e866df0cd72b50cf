import { counted } from '@filewright/protocol'
import { encodeAttribute } from '../../../../opc/index.ts'
import type { DocumentArgs } from '../../declared/operations.ts'
import { type DocumentEditor, invalid } from '../../edit/editor.ts'
import { ensureProperties, setProperty } from '../../edit/properties.ts'
import { trackProperties } from '../../edit/tracked-paragraph.ts'
import { type ListPlace, listPlaceOf } from '../../story/labels.ts'
import {
  type PlaceArgument,
  paragraphAt,
  paragraphById,
  placeOf,
  readForLook,
} from '../../story/places.ts'
import type { Paragraph } from '../../story/story.ts'
import { restartedList } from './list-numbering.ts'

/** From a paragraph on, its list counts anew. */
export function restartList(
  editor: DocumentEditor,
  { place: wanted, start }: DocumentArgs<'restart_list'>,
) {
  const { paragraph, place } = listItem(editor, wanted)
  if (place.list.levels[place.level]?.format === 'bullet')
    throw invalid(`${paragraph.id} has a bullet, and bullets are not counted`)
  const ids = renumber(editor, paragraph, place, {
    reads: [],
    number: () => restartedList(editor.manuscript, place.list, { level: place.level, start }),
  })
  return {
    op: 'restart_list',
    message: `The list starts at ${start} with ${paragraph.id}; ${counted(ids, 'paragraph')} ${ids === 1 ? 'follows' : 'follow'} it.`,
  }
}

/** From a paragraph on, its list goes on with the numbers of the one before. */
export function continueList(
  editor: DocumentEditor,
  { place: wanted }: DocumentArgs<'continue_list'>,
) {
  const { paragraph, place } = listItem(editor, wanted)
  const before = editor.resolve('before', () => listBefore(editor, paragraph, place)?.id ?? null)
  if (before === null)
    throw invalid(`there is no list of that kind in front of ${paragraph.id} to go on with`)
  const previous = paragraphById(editor.manuscript, before)
  const earlier = placeIn(editor, previous)!
  const ids = renumber(editor, paragraph, place, {
    reads: readForLook(before),
    number: () => earlier.list.numId,
  })
  return {
    op: 'continue_list',
    message: `The list at ${paragraph.id} goes on after ${before}; ${counted(ids, 'paragraph')} ${ids === 1 ? 'follows' : 'follow'} it.`,
  }
}

/** The last item of another list with numbers of the same kind at that level. */
function listBefore(
  editor: DocumentEditor,
  { story, position }: Paragraph,
  { list, level }: ListPlace,
): Paragraph | undefined {
  const format = list.levels[level]?.format
  return story.paragraphs.slice(0, position).findLast(own => {
    const place = placeIn(editor, own)
    if (!place || place.list.numId === list.numId || place.level !== level) return false
    return place.list.levels[level]?.format === format && format !== 'bullet'
  })
}

/** All later paragraphs of the list go along: one change, which is made as a whole. */
function renumber(
  editor: DocumentEditor,
  first: Paragraph,
  { list }: ListPlace,
  { reads, number }: { readonly reads: readonly string[]; readonly number: () => string },
): number {
  const { story } = first
  const ids = editor.resolve('items', () =>
    story.paragraphs
      .slice(first.position)
      .filter(own => placeIn(editor, own)?.list.numId === list.numId)
      .map(({ id }) => id),
  )
  const labels = () => ({ text: story.rank(paragraphById(editor.manuscript, first.id)).label })
  editor.change(
    {
      kind: 'structure',
      place: `${placeOf(first.id)}, list`,
      keys: ids,
      reads,
      before: labels(),
      after: labels,
      atomic: true,
    },
    () => {
      const { tree } = story
      const own = ids.map(id => paragraphById(editor.manuscript, id))
      const levels = own.map(paragraph => placeIn(editor, paragraph)?.level ?? 0)
      const numId = number()
      for (const [index, { node }] of own.entries()) {
        if (editor.tracking) trackProperties(tree, node, editor.tracking)
        setProperty(
          tree,
          ensureProperties(tree, node),
          `<w:numPr><w:ilvl w:val="${levels[index]}"/><w:numId w:val="${encodeAttribute(numId)}"/></w:numPr>`,
        )
      }
      return true
    },
  )
  return ids.length - 1
}

function listItem(editor: DocumentEditor, wanted: PlaceArgument) {
  const id = editor.resolve('item', () => paragraphAt(editor.manuscript, wanted).id)
  const paragraph = paragraphById(editor.manuscript, id)
  const place = placeIn(editor, paragraph)
  if (!place) throw invalid(`${id} is in no list; insert_list makes one`)
  return { paragraph, place }
}

function placeIn({ manuscript }: DocumentEditor, { story, node }: Paragraph) {
  return listPlaceOf(story.tree, node, manuscript.styles, manuscript.numbering)
}
