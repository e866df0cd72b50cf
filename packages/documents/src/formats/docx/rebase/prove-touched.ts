import type { LiveNode } from '../../../opc/index.ts'
import type { TouchedThings } from '../../../operation-editor.ts'
import { corePropertyOf } from '../parts/core-properties.ts'
import type { Manuscript } from '../story/manuscript.ts'
import { pageSectionsOf } from '../story/page-sections.ts'
import { isNoise } from '../story/paragraph-key.ts'
import { tableById } from '../story/places.ts'
import type { Paragraph, TableSpot } from '../story/story.ts'
import { cellsOf } from '../view/table-shape.ts'
import type { ParagraphAlignment } from './paragraph-alignment.ts'

/** A document as the draft knew it, and as somebody else saved it. */
export interface BothSides {
  readonly old: Manuscript
  readonly now: Manuscript
  readonly alignment: ParagraphAlignment
}

/** Why what an operation reads or writes is not as it was; undefined: it is. */
export function doubtOfTouched(sides: BothSides, touched: TouchedThings): string | undefined {
  const deleted = withNotes(sides.old, touched.deleted)
  for (const id of [...touched.keys, ...deleted]) {
    if (findParagraph(sides.old, id) && sides.alignment.idOf(id) === undefined)
      return `${id} changed on disk`
    const doubt = doubtOfThing(sides, id)
    if (doubt) return doubt
  }
  return doubtOfDeleted(sides, deleted)
}

/** Columns that are named by their numbers are where they were: in no case is another one meant. */
export function doubtOfColumns(
  { old, now, alignment }: BothSides,
  { keys, reads }: TouchedThings,
): string | undefined {
  for (const key of [...keys, ...reads]) {
    const table = key.endsWith(COLUMNS) ? tableById(old, key.slice(0, -COLUMNS.length)) : undefined
    if (!table) continue
    const other = tableById(now, alignment.idOf(table.id) ?? '')
    if (!other) return `${table.id} changed on disk`
    const [before, after] = [columnsOf(table), columnsOf(other)]
    if (before.width !== after.width) return `${table.id} has other columns on disk`
    for (const [id, column] of before.byParagraph) {
      const found = alignment.idOf(id)
      if (found !== undefined && after.byParagraph.get(found) !== column)
        return `${table.id} has other columns on disk`
    }
  }
  return undefined
}

const COLUMNS = ' columns'

/** By the first paragraph of each cell. */
function columnsOf({ story, node }: TableSpot) {
  const byParagraph = new Map<string, number>()
  let width = 0
  for (const { node: cell, column, span } of cellsOf(story.tree, node)) {
    width = Math.max(width, column + span)
    const [first] = cell.all('w:p')
    const id = first && story.idOf(first)
    if (id !== undefined) byParagraph.set(id, column)
  }
  return { width, byParagraph }
}

/** What has no paragraph of its own: the frame of a table, pages, properties, the comments of a thread. */
function doubtOfThing({ old, now, alignment }: BothSides, key: string): string | undefined {
  const [noun = '', name = ''] = /^(property|page section|comment) (.*)$/.exec(key)?.slice(1) ?? []
  if (
    noun === 'property' &&
    corePropertyOf(old.package, name) !== corePropertyOf(now.package, name)
  )
    return `the ${name} of the document changed on disk`
  if (noun === 'page section' && !isSamePage(old, now, name, alignment.idOf(name)))
    return 'the pages were set up in another way on disk'
  if (noun === 'comment' && textOf(old, 'comments') !== textOf(now, 'comments'))
    return 'comments changed on disk'
  const table = tableById(old, key.split(' ')[0]!)
  if (!table) return undefined
  const other = tableById(now, alignment.idOf(table.id) ?? '')
  return other && frameOf(table) === frameOf(other) ? undefined : `${table.id} changed on disk`
}

function isSamePage(old: Manuscript, now: Manuscript, id: string, there = id): boolean {
  const pageOf = (manuscript: Manuscript, own: string) => {
    const properties = pageSectionsOf(manuscript).find(each => each.id === own)?.properties
    return properties && manuscript.body.tree.xmlOf(properties, isNoise)
  }
  return pageOf(old, id) === pageOf(now, there)
}

function textOf(manuscript: Manuscript, name: string): string {
  const story = manuscript.story(name)
  return story ? story.tree.xmlOf(story.root, isNoise) : ''
}

/** Rows, cells and their properties, without what stands in them. */
function frameOf({ story, node }: TableSpot): string {
  return story.tree.xmlOf(node, name => isNoise(name) || name === 'w:p')
}

const NOTE_MARKS: Readonly<Record<string, string>> = {
  'w:footnoteReference': 'footnotes',
  'w:endnoteReference': 'endnotes',
  'w:commentReference': 'comments',
}

/** The paragraphs of notes and comments go with their marks. */
function withNotes(manuscript: Manuscript, ids: ReadonlySet<string>): ReadonlySet<string> {
  const notes = [...ids].flatMap(id => notesOf(manuscript, findParagraph(manuscript, id)))
  return new Set([...ids, ...notes.map(({ id }) => id)])
}

function findParagraph({ stories }: Manuscript, id: string): Paragraph | undefined {
  for (const story of stories) {
    const found = story.paragraph(id)
    if (found) return found
  }
  return undefined
}

function notesOf(manuscript: Manuscript, holder: Paragraph | undefined): readonly Paragraph[] {
  if (!holder) return []
  return Object.entries(NOTE_MARKS).flatMap(([mark, name]) => {
    const { tree } = holder.story
    const ids = [...holder.node.all(mark)].map(node => tree.attribute(node, 'w:id'))
    const notes = ids.length > 0 ? manuscript.story(name) : undefined
    return (notes?.paragraphs ?? []).filter(
      ({ note }) => note && ids.includes(notes!.tree.attribute(note, 'w:id')),
    )
  })
}

const CONTAINERS = ['w:tc', 'w:tr', 'w:tbl', 'w:footnote', 'w:endnote', 'w:comment']

/** Nobody put anything into a cell, row, table or note that goes as a whole. */
function doubtOfDeleted(
  { old, now, alignment }: BothSides,
  deleted: ReadonlySet<string>,
): string | undefined {
  const images = new Set([...deleted].map(id => alignment.idOf(id)))
  const known = new Set<LiveNode>()
  for (const id of deleted) {
    const paragraph = findParagraph(old, id)
    const image = findParagraph(now, alignment.idOf(id) ?? '')
    if (!paragraph || !image) continue
    for (const name of CONTAINERS) {
      const container = paragraph.node.closest(name)
      if (!container || known.has(container)) continue
      known.add(container)
      const { story } = paragraph
      if (![...container.all('w:p')].every(own => deleted.has(story.idOf(own) ?? ''))) continue
      const inside = [...(image.node.closest(name)?.all('w:p') ?? [])]
      const added = inside.map(own => image.story.idOf(own)).find(own => !images.has(own))
      if (added !== undefined) return `somebody wrote ${added} into what is deleted`
    }
  }
  return undefined
}
