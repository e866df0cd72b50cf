import { counted } from '@filewright/protocol'
import type { LiveNode } from '../../../../opc/index.ts'
import { Refusal } from '../../../../refusal.ts'
import type { DocumentArgs } from '../../declared/operations.ts'
import { type BlockAnchor, blockAnchorFor } from '../../edit/block-anchor.ts'
import { type DocumentEditor, invalid } from '../../edit/editor.ts'
import { refuseUnlessEditable } from '../../edit/guards.ts'
import {
  findRemovalProblem,
  isOnly,
  removeNotes,
  removeParagraph,
  takeOut,
} from '../../edit/remove-paragraph.ts'
import { findMoveProblem, leavesMarks, trackMove } from '../../edit/tracked-move.ts'
import { isOwnInsertion, markParagraph, trackDeletedText } from '../../edit/tracked-paragraph.ts'
import { isBy, type Tracking } from '../../edit/tracking.ts'
import type { Manuscript } from '../../story/manuscript.ts'
import {
  type PlaceArgument,
  paragraphById,
  paragraphsAt,
  placeOf,
  tableById,
} from '../../story/places.ts'
import { revisionMarks } from '../../story/revision-ids.ts'
import type { Paragraph, TableSpot } from '../../story/story.ts'
import { orderNotesIn } from '../notes/note-order.ts'
import { anchorOf, gridOf } from '../tables/grid.ts'
import { deleteRow } from '../tables/rows.ts'

/** Deletes paragraphs: one, a range, or a whole section by its heading, with the tables in it; or a table by its id. */
export function deleteParagraph(
  editor: DocumentEditor,
  { place }: DocumentArgs<'delete_paragraph'>,
) {
  const places = editor.resolve('places', () => placesOf(editor, place))
  const paragraphs: string[] = []
  const tables = new Set<string>()
  for (const each of places) {
    const [, table, row] = /^(\S+) row (\S+)$/.exec(each) ?? []
    if (table === undefined) {
      const paragraph = editor.paragraphToEdit(each)
      if (paragraph && deleteOne(editor, paragraph)) paragraphs.push(each)
    } else if (deleteRow(editor, table, row!)) tables.add(table)
  }
  const what = [
    ...(paragraphs.length > 0 || tables.size === 0
      ? [counted(paragraphs.length, 'paragraph')]
      : []),
    ...(tables.size > 0 ? [counted(tables.size, 'table')] : []),
  ]
  return { op: 'delete_paragraph', message: `Deleted ${what.join(' and ')}.`, paragraphs }
}

/** Paragraphs by their ids; of a table that goes as a whole its rows, the last first: `t1 row p12`. */
function placesOf(editor: DocumentEditor, place: PlaceArgument): readonly string[] {
  const { manuscript } = editor
  const named = [place]
    .flat()
    .flatMap(each =>
      typeof each === 'string' ? (tableById(manuscript, each.trim())?.id ?? []) : [],
    )
  const chosen = paragraphsAt(manuscript, place)
  const ids = new Set(chosen.map(({ id }) => id))
  const places: string[] = []
  const gone = new Set<string>()
  const known = new Map<LiveNode | undefined, TableSpot | undefined>()
  for (const paragraph of chosen) {
    if (gone.has(paragraph.id)) continue
    const around = paragraph.node.closest('w:tbl')
    if (!known.has(around)) known.set(around, outermostWhole(paragraph, ids, named))
    const table = known.get(around)
    if (!table) places.push(paragraph.id)
    else {
      const grid = gridOf(table)
      const rows = grid.cells.map(cells => `${table.id} row ${anchorOf(grid, cells[0]?.node)}`)
      places.push(...rows.reverse())
      for (const { id } of paragraphsOf(table)) gone.add(id)
    }
  }
  return places
}

/** The table around a paragraph that is named, or all of which is chosen together with something outside of it. */
function outermostWhole(
  { story, node }: Paragraph,
  ids: ReadonlySet<string>,
  named: readonly string[],
): TableSpot | undefined {
  let found: TableSpot | undefined
  for (let at = node.closest('w:tbl'); at; at = at.closest('w:tbl')) {
    const own = story.tables.find(table => table.node === at)
    if (!own) continue
    const inside = paragraphsOf(own)
    const isWhole = ids.size > inside.length && inside.every(({ id }) => ids.has(id))
    if (isWhole || named.includes(own.id)) found = own
  }
  return found
}

function paragraphsOf({ story, node }: TableSpot): readonly Paragraph[] {
  return [...node.all('w:p')].flatMap(own => story.paragraph(story.idOf(own) ?? '') ?? [])
}

/** False where a replay leaves it. */
export function deleteOne(editor: DocumentEditor, paragraph: Paragraph): boolean {
  const place = placeOf(paragraph.id)
  if (!editor.accepts(place)) return false
  refuseUnlessEditable(editor, paragraph)
  const problem = findRemovalProblem(paragraph)
  if (problem !== undefined)
    throw new Refusal('CONFLICT', `${paragraph.id} cannot be deleted: ${problem}`)
  const change = {
    kind: 'paragraph',
    place,
    keys: [paragraph.id],
    before: editor.sideOf(paragraph),
    after: () => null,
  }
  return editor.change(change, () => {
    if (editor.tracking) trackDeletion(editor, paragraph, editor.tracking)
    else removeParagraph(editor.manuscript, paragraph)
    return true
  })
}

/** The last paragraph of a cell or a document keeps its mark, so that only its text is deleted. */
function trackDeletion(editor: DocumentEditor, paragraph: Paragraph, tracking: Tracking): void {
  const { story, node } = paragraph
  const { tree } = story
  if (isOwnInsertion(tree, node, tracking)) return removeParagraph(editor.manuscript, paragraph)
  for (const own of [...node.all('w:ins')])
    if (isBy(tree, own, tracking)) removeNotes(editor.manuscript, { story, node: own })
  trackDeletedText(tree, node, tracking)
  const siblings = node.parent!.children.filter(({ name }) => name !== '')
  const isLast = siblings[siblings.indexOf(node) + 1]?.name !== 'w:p'
  const look = node.child('w:pPr')?.child('w:rPr')
  if (isLast)
    editor.warn(
      `The mark of ${paragraph.id} stays, because no paragraph follows it there; its text is deleted.`,
    )
  else if (!look?.child('w:del')) markParagraph(tree, node, 'w:del', tracking)
}

/** Moves paragraphs next to another: one, a range, or a section by its heading; behind a heading means behind its section. */
export function moveParagraph(editor: DocumentEditor, args: DocumentArgs<'move_paragraph'>) {
  const ids = editor.resolve('moved', () => movedFrom(editor.manuscript, args.place))
  const anchor = blockAnchorFor(editor, args)
  // each next to the anchor, so that one that a replay leaves out moves no other
  const order = anchor.side === 'before' ? ids : [...ids].reverse()
  for (const id of order) moveNextTo(editor, id, anchor)
  const [only] = ids
  const isOne = ids.length === 1
  return {
    op: 'move_paragraph',
    message: `Moved ${isOne ? only : `${counted(ids.length, 'paragraph')}, ${only} to ${ids.at(-1)},`} ${anchor.side} ${anchor.id}.`,
    ...(isOne ? { paragraph: only } : { paragraphs: ids }),
  }
}

/** What stands in a text box goes with the paragraph that holds the box. */
function movedFrom(manuscript: Manuscript, place: PlaceArgument): readonly string[] {
  const chosen = paragraphsAt(manuscript, place)
  const nodes = new Set(chosen.map(({ node }) => node))
  const outer = chosen.filter(({ node }) => {
    for (let at = node.parent; at; at = at.parent) if (nodes.has(at)) return false
    return true
  })
  const around = outer[0]?.node.closest('w:tbl')
  const inTable = outer.find(({ node }) => node.closest('w:tbl') !== around)
  if (inTable)
    throw new Refusal(
      'CONFLICT',
      `${JSON.stringify(place)} holds a table, at ${inTable.id}, which cannot be moved; move the paragraphs in front of it and behind it, such as p12-p14`,
    )
  return outer.map(({ id }) => id)
}

function moveNextTo(editor: DocumentEditor, id: string, anchor: BlockAnchor): void {
  const place = `${placeOf(id)} moved`
  if (!editor.accepts(place)) return
  const paragraph = paragraphById(editor.manuscript, id)
  refuseMove(editor, paragraph, anchor)
  const text = editor.sideOf(paragraph)
  const change = {
    kind: 'paragraph',
    place,
    keys: [id],
    reads: [anchor.id],
    before: text,
    after: () => text,
    description: `moved ${anchor.side} ${anchor.id}`,
    atomic: true,
  }
  editor.change(change, () => {
    const { tree } = paragraph.story
    if (editor.tracking) {
      const copy = trackMove(tree, paragraph.node, anchor.node, anchor.side, editor.tracking)
      editor.adopt(paragraph.story, copy)
      if (leavesMarks(paragraph.node))
        editor.warn(
          `Bookmarks and comments of ${id} stay where it was, because they cannot stand at both places of a tracked move.`,
        )
      return true
    }
    takeOut(paragraph)
    if (anchor.side === 'before') tree.before(anchor.node, [paragraph.node])
    else tree.after(anchor.node, [paragraph.node])
    orderNotesIn(editor.manuscript, paragraph.node)
    return true
  })
}

function refuseMove(editor: DocumentEditor, paragraph: Paragraph, anchor: BlockAnchor): void {
  const { id, node, story } = paragraph
  if (story !== anchor.story)
    throw invalid(
      `${id} and ${anchor.id} are in different parts of the document; insert the text there and delete it here`,
    )
  if (id === anchor.id) throw invalid(`${id} cannot be moved next to itself`)
  for (let at = anchor.node.parent; at; at = at.parent)
    if (at === node)
      throw invalid(`${id} cannot be moved next to ${anchor.id}, which is in its own text box`)
  refuseUnlessEditable(editor, paragraph)
  const beside = story.paragraph(anchor.id)
  if (beside) refuseUnlessEditable(editor, beside)
  const problem = isOnly(paragraph)
    ? 'it is the only paragraph where one must stay'
    : findRemovalProblem(paragraph)
  if (problem !== undefined) throw new Refusal('CONFLICT', `${id} cannot be moved: ${problem}`)
  if (editor.tracking) refuseTrackedMove(paragraph)
}

function refuseTrackedMove(paragraph: Paragraph): void {
  const twice = findMoveProblem(paragraph.node)
  const problem = hasRevisions(paragraph)
    ? 'it holds tracked changes, which would stand at both places; accept or reject them first, or send track: false'
    : twice && `${twice}; send track: false, or insert its text there and delete it here`
  if (problem !== undefined)
    throw new Refusal('CONFLICT', `${paragraph.id} cannot be moved as a tracked change: ${problem}`)
}

function hasRevisions({ story, node }: Paragraph): boolean {
  for (const mark of revisionMarks(node))
    if (story.tree.attribute(mark, 'w:author') !== undefined) return true
  return false
}
