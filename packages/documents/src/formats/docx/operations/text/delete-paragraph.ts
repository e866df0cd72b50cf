import { counted, type Fields } from '@filewright/protocol'
import type { OperationResult } from '../../../../format.ts'
import type { LiveNode } from '../../../../opc/index.ts'
import { Refusal } from '../../../../refusal.ts'
import { blockBeside } from '../../edit/block-anchor.ts'
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
import { paragraphAt, paragraphById, paragraphsAt, placeOf, tableById } from '../../story/places.ts'
import { revisionMarks } from '../../story/revision-ids.ts'
import type { Paragraph, TableSpot } from '../../story/story.ts'
import { orderNotesIn } from '../notes/note-order.ts'
import { anchorOf, gridOf } from '../tables/grid.ts'
import { deleteRow } from '../tables/rows.ts'

/** Deletes paragraphs: one, a range, or a whole section by its heading, with the tables in it; or a table by its id. */
export function deleteParagraph(editor: DocumentEditor, operation: Fields): OperationResult {
  if (operation.place === undefined)
    throw invalid('delete_paragraph needs place, such as "p12" or "p12-p15"')
  const places = editor.resolve('places', () => placesOf(editor, operation.place))
  const paragraphs: string[] = []
  const tables = new Set<string>()
  for (const place of places) {
    const [, table, row] = /^(\S+) row (\S+)$/.exec(place) ?? []
    if (table === undefined) {
      const paragraph = editor.paragraphToEdit(place)
      if (paragraph && deleteOne(editor, paragraph)) paragraphs.push(place)
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
function placesOf(editor: DocumentEditor, place: unknown): readonly string[] {
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

/** Moves a paragraph next to another. */
export function moveParagraph(editor: DocumentEditor, operation: Fields): OperationResult {
  const side = operation.before !== undefined && operation.before !== null ? 'before' : 'after'
  if (operation.place === undefined || operation[side] === undefined)
    throw invalid(
      'move_paragraph needs place and after or before, such as {"place": "p12", "after": "p20"}',
    )
  const { manuscript } = editor
  const id = editor.resolve('place', () => paragraphAt(manuscript, operation.place).id)
  const anchorId = editor.resolve('anchor', () => paragraphAt(manuscript, operation[side]).id)
  const paragraph = paragraphById(manuscript, id)
  const anchor = paragraphById(manuscript, anchorId)
  if (paragraph.story !== anchor.story)
    throw invalid(
      `${id} and ${anchorId} are in different parts of the document; insert the text there and delete it here`,
    )
  if (id === anchorId) throw invalid(`${id} cannot be moved next to itself`)
  for (let at = anchor.node.parent; at; at = at.parent)
    if (at === paragraph.node)
      throw invalid(`${id} cannot be moved next to ${anchorId}, which is in its own text box`)
  moveNextTo(editor, paragraph, anchor, side)
  return { op: 'move_paragraph', message: `Moved ${id} ${side} ${anchorId}.`, paragraph: id }
}

function moveNextTo(
  editor: DocumentEditor,
  paragraph: Paragraph,
  anchor: Paragraph,
  side: 'after' | 'before',
): void {
  const place = `${placeOf(paragraph.id)} moved`
  if (!editor.accepts(place)) return
  refuseUnlessEditable(editor, paragraph)
  refuseUnlessEditable(editor, anchor)
  const problem = isOnly(paragraph)
    ? 'it is the only paragraph where one must stay'
    : findRemovalProblem(paragraph)
  if (problem !== undefined)
    throw new Refusal('CONFLICT', `${paragraph.id} cannot be moved: ${problem}`)
  const beside = blockBeside(editor, anchor)
  if (editor.tracking) refuseTrackedMove(paragraph)
  const text = editor.sideOf(paragraph)
  const change = {
    kind: 'paragraph',
    place,
    keys: [paragraph.id],
    reads: [anchor.id],
    before: text,
    after: () => text,
    description: `moved ${side} ${anchor.id}`,
    atomic: true,
  }
  editor.change(change, () => {
    const { tree } = paragraph.story
    if (editor.tracking) {
      const copy = trackMove(tree, paragraph.node, beside, side, editor.tracking)
      editor.adopt(paragraph.story, copy)
      if (leavesMarks(paragraph.node))
        editor.warn(
          `Bookmarks and comments of ${paragraph.id} stay where it was, because they cannot stand at both places of a tracked move.`,
        )
      return true
    }
    takeOut(paragraph)
    if (side === 'before') tree.before(beside, [paragraph.node])
    else tree.after(beside, [paragraph.node])
    orderNotesIn(editor.manuscript, paragraph.node)
    return true
  })
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
