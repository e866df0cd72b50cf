import type { LiveNode } from '../../../opc/index.ts'
import { settingsOf } from '../parts/settings.ts'
import type { Manuscript } from '../story/manuscript.ts'
import { pageSectionsOf } from '../story/page-sections.ts'
import { type Section, sectionsOf } from '../story/sections.ts'
import type { Paragraph, Story, TableSpot } from '../story/story.ts'
import { chunksOf } from './chunks.ts'
import { commentsOf } from './comments.ts'
import { bookmarksOf, controlEntriesOf, fieldsOf } from './fields.ts'
import { imagesOf } from './images.ts'
import { pageStartsOf } from './page-starts.ts'
import { placeholdersOf } from './placeholders.ts'
import { revisionsOf } from './revisions.ts'
import { plainText } from './show.ts'
import { stylesInUse } from './styles-in-use.ts'
import { cellsOf } from './table-shape.ts'

const MOST_LISTED = 500 // entries of one kind in the fields
const MOST_IN_TITLE = 80 // characters
const MOST_IN_LABELLED = 40 // characters

export type MapFields = ReturnType<typeof mapFields>

/** What the map lists, with at most so many entries of each kind. */
export function mapFields(manuscript: Manuscript) {
  const { body, stories } = manuscript
  const sizes = body.paragraphs.map(paragraph => wordsIn(plainText(paragraph)))
  const documentTables = stories.flatMap(story => {
    const byCell = textByCell(story)
    return story.tables.map(table => tableField(table, byCell))
  })
  const revisions = revisionFields(stories)
  const { protection, isTracking } = settingsOf(manuscript.package)
  const readChunks = chunksOf(body)
  return {
    words: sizes.reduce((sum, size) => sum + size, 0),
    tables: documentTables.length,
    fields: {
      sections: sectionsOf(body).map(section => sectionField(section, sizes)),
      documentTables: documentTables.slice(0, MOST_LISTED),
      images: stories.flatMap(story => imagesOf(manuscript.package, story)).slice(0, MOST_LISTED),
      stories: otherStories(manuscript),
      ...(revisions && { revisions }),
      placeholders: stories.flatMap(story => placeholdersOf(story)).slice(0, MOST_LISTED),
      ...detailsOf(manuscript),
      styles: stylesInUse(manuscript),
      ...(protection !== undefined && { protection }),
      ...(isTracking && { isTracking }),
      ...(manuscript.package.hasMacros && { hasMacros: true }),
      ...(manuscript.package.isSigned && { isSigned: true }),
      ...(readChunks.length > 1 && { readChunks }),
    },
  }
}

/** Cut where it is long, at a character and not inside one. */
function shortened(text: string, most: number): string {
  return text.length <= most
    ? text
    : `${[...text]
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`
}

function wordsIn(text: string): number {
  return text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0
}

export interface SectionField {
  readonly index: number
  readonly title: string
  readonly level: number
  readonly label?: string
  readonly paragraphs: string
  readonly words: number
}

function sectionField(
  { index, title, level, label, start, end, heading }: Section,
  sizes: readonly number[],
): SectionField {
  const last = heading?.story.paragraphs[end - 1]?.id
  let words = 0
  for (let at = start; at < end; at++) words += sizes[at]!
  return {
    index,
    title: shortened(title, MOST_IN_TITLE),
    level,
    ...(label !== '' && { label }),
    paragraphs: heading ? `${heading.id}-${last ?? heading.id}` : `p1-p${end}`,
    words,
  }
}

/** The text of the cells, by cell. */
function textByCell(story: Story): ReadonlyMap<LiveNode, string> {
  const byCell = new Map<LiveNode, string>()
  if (story.tables.length === 0) return byCell
  for (const paragraph of story.paragraphs) {
    const { cell } = paragraph
    if (cell) byCell.set(cell, `${byCell.get(cell) ?? ''}${plainText(paragraph)} `)
  }
  return byCell
}

function tableField({ id, node, story }: TableSpot, byCell: ReadonlyMap<LiveNode, string>) {
  const cells = cellsOf(story.tree, node)
  const rows = cells.at(-1)?.row ?? -1
  const columns = cells.reduce((most, { column, span }) => Math.max(most, column + span), 0)
  const headers = cells
    .filter(({ row }) => row === 0)
    .slice(0, 20)
    .map(cell => (byCell.get(cell.node) ?? '').trim().slice(0, 40))
  return { id, rows: rows + 1, columns, headers }
}

/** In the order of their names, headers and footers with the pages that show them. */
function otherStories(manuscript: Manuscript) {
  const shownOn = marginsOf(manuscript)
  return manuscript.stories
    .filter(({ name }) => name !== 'body')
    .sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
    .map(story => {
      const pages = shownOn.get(story.part)
      return { ...storyField(story), ...(pages && { pages }) }
    })
}

/** `section 1 first` for the parts that page sections name; a section that names none shows those before it. */
function marginsOf(manuscript: Manuscript): ReadonlyMap<string, readonly string[]> {
  const { body, package: own } = manuscript
  const targets = new Map(own.links(own.mainName).map(({ id, target }) => [id, target]))
  const found = new Map<string, string[]>()
  for (const { number, properties } of pageSectionsOf(manuscript))
    for (const node of properties?.children ?? []) {
      if (!/^w:(header|footer)Reference$/.test(node.name)) continue
      const part = targets.get(body.tree.attribute(node, 'r:id') ?? '') ?? ''
      const pages = body.tree.attribute(node, 'w:type') ?? 'default'
      found.set(part, [...(found.get(part) ?? []), `section ${number} ${pages}`])
    }
  return found
}

function storyField(story: Story) {
  const isNote = story.name === 'footnotes' || story.name === 'endnotes'
  // the lines between the text and its notes are no notes
  const own = isNote ? story.paragraphs.filter(each => !isSeparator(each)) : story.paragraphs
  const shown = own.map(paragraph => plainText(paragraph)).filter(text => text.trim() !== '')
  return {
    name: story.name,
    paragraphs: own.length,
    ...(isNote && { notes: new Set(own.map(({ note }) => note)).size }),
    start: shown.join(' / ').slice(0, 80),
  }
}

function isSeparator({ note, story }: Paragraph): boolean {
  const type = note && story.tree.attribute(note, 'w:type')
  return type !== undefined && type !== 'normal'
}

function revisionFields(stories: readonly Story[]) {
  const byAuthor: Record<string, number> = {}
  let count = 0
  for (const story of stories)
    for (const { author } of revisionsOf(story)) {
      count++
      const name = author === '' ? 'unknown' : author
      byAuthor[name] = (Object.hasOwn(byAuthor, name) ? byAuthor[name]! : 0) + 1
    }
  return count === 0 ? undefined : { count, byAuthor }
}

/** What only some documents have: each kind is left out where there is none. */
function detailsOf(manuscript: Manuscript) {
  const { body, stories } = manuscript
  const marks = stories.flatMap(bookmarksOf)
  const paragraphOf = new Map(marks.map(({ name, paragraph }) => [name, paragraph]))
  const all = {
    numbered: numberedIn(body),
    comments: commentsOf(manuscript),
    fields: stories.flatMap(fieldsOf).map(own => {
      const to = own.target === undefined ? undefined : paragraphOf.get(own.target)
      return { ...own, ...(to !== undefined && { to }) }
    }),
    controls: stories.flatMap(controlEntriesOf),
    bookmarks: marks.filter(({ name }) => !name.startsWith('_')),
    pages: pageStartsOf(body),
  }
  return Object.fromEntries(
    Object.entries(all).flatMap(([key, list]) =>
      list.length === 0 ? [] : [[key, list.slice(0, MOST_LISTED)]],
    ),
  ) as { [Key in keyof typeof all]?: (typeof all)[Key] }
}

/** Paragraphs of numbered lists with their labels; headings are in the sections. */
function numberedIn(body: Story) {
  const { ranks } = body
  return body.paragraphs.flatMap(paragraph => {
    const { label, heading } = ranks[paragraph.position]!
    if (label === '' || label === '•' || heading !== undefined) return []
    const start = shortened(plainText(paragraph), MOST_IN_LABELLED)
    return [{ paragraph: paragraph.id, label, start }]
  })
}
