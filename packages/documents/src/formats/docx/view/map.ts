import { counted, ok, type Result } from '@filewright/protocol'
import type { FileMap } from '../../../format.ts'
import type { LiveNode } from '../../../opc/index.ts'
import { settingsOf } from '../parts/settings.ts'
import type { Manuscript } from '../story/manuscript.ts'
import { type Section, sectionsOf } from '../story/sections.ts'
import type { Story, TableSpot } from '../story/story.ts'
import { chunksOf } from './chunks.ts'
import { imagesOf } from './images.ts'
import { placeholdersOf } from './placeholders.ts'
import { revisionsOf } from './revisions.ts'
import { plainText } from './show.ts'
import { cellsOf } from './table-shape.ts'

const MOST = 60 // lines of one kind in the text; all of them are in the fields
const MOST_LISTED = 500 // entries of one kind in the fields
const MOST_IN_TITLE = 80 // characters

/** The structural map: sections with sizes, tables, images, notes, comments, revisions, placeholders, styles. */
export function mapDocument(manuscript: Manuscript): Result<FileMap> {
  const { body, stories } = manuscript
  const sizes = body.paragraphs.map(paragraph => wordsIn(plainText(paragraph)))
  const sections = sectionsOf(body).map(section => sectionField(section, sizes))
  const documentTables = stories.flatMap(story => {
    const byCell = textByCell(story)
    return story.tables.map(table => tableField(table, byCell))
  })
  const images = stories.flatMap(story => imagesOf(story)).slice(0, MOST_LISTED)
  const others = stories.filter(({ name }) => name !== 'body').map(storyField)
  const revisions = revisionFields(stories)
  const placeholders = stories.flatMap(story => placeholdersOf(story)).slice(0, MOST_LISTED)
  const styles = stylesInUse(manuscript)
  const { protection, isTracking } = settingsOf(manuscript.package)
  const readChunks = chunksOf(body)
  const fields = {
    sections,
    documentTables: documentTables.slice(0, MOST_LISTED),
    images,
    stories: others,
    ...(revisions && { revisions }),
    placeholders,
    styles,
    ...(protection !== undefined && { protection }),
    ...(isTracking && { isTracking }),
    ...(manuscript.package.hasMacros && { hasMacros: true }),
    ...(manuscript.package.isSigned && { isSigned: true }),
    ...(readChunks.length > 1 && { readChunks }),
  }
  const words = sizes.reduce((sum, size) => sum + size, 0)
  const head = `${counted(body.paragraphs.length, 'paragraph')}, ${counted(words, 'word')}, ${counted(documentTables.length, 'table')}, ${counted(images.length, 'image')}`
  return ok({ text: [head, ...linesOf(fields)].join('\n'), fields })
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

interface SectionField {
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

function storyField(story: Story) {
  const shown = story.paragraphs
    .map(paragraph => plainText(paragraph))
    .filter(text => text.trim() !== '')
  return {
    name: story.name,
    paragraphs: story.paragraphs.length,
    start: shown.join(' / ').slice(0, 80),
  }
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

function stylesInUse({ body, styles }: Manuscript) {
  const counts = new Map<string, number>()
  for (const { node } of body.paragraphs) {
    const id = body.styleIdOf(node)
    const name =
      (id === undefined ? styles.defaultParagraph : styles.byId.get(id))?.name ?? id ?? 'Normal'
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 50)
    .map(([name, count]) => ({ name, count }))
}

interface MapFields {
  readonly sections: readonly SectionField[]
  readonly documentTables: readonly ReturnType<typeof tableField>[]
  readonly images: readonly {
    readonly paragraph: string
    readonly kind: string
    readonly alt?: string
  }[]
  readonly stories: readonly ReturnType<typeof storyField>[]
  readonly revisions?: ReturnType<typeof revisionFields>
  readonly placeholders: ReturnType<typeof placeholdersOf>
  readonly styles: readonly { readonly name: string; readonly count: number }[]
  readonly protection?: string
  readonly isTracking?: boolean
  readonly hasMacros?: boolean
  readonly isSigned?: boolean
}

function linesOf(fields: MapFields): string[] {
  const { sections, documentTables, images, stories, revisions, placeholders, styles } = fields
  const state = [
    fields.protection !== undefined && `protected: only ${fields.protection}`,
    fields.isTracking && 'tracking is on',
    fields.hasMacros && 'macros',
    fields.isSigned && 'digitally signed',
  ].filter(each => typeof each === 'string')
  return [
    ...(state.length > 0 ? [state.join(', ')] : []),
    ...block('sections (index, heading, paragraphs, words):', sections.map(showSection)),
    ...block(
      'tables:',
      documentTables.map(
        ({ id, rows, columns, headers }) => `${id}: ${rows} × ${columns}, ${headers.join(' | ')}`,
      ),
    ),
    ...block(
      'images:',
      images.map(({ paragraph, kind, alt }) => `${paragraph}: ${kind}${alt ? ` "${alt}"` : ''}`),
    ),
    ...block(
      'other parts:',
      stories.map(
        ({ name, paragraphs, start }) => `${name}: ${counted(paragraphs, 'paragraph')}, ${start}`,
      ),
    ),
    ...(revisions
      ? [
          `tracked changes: ${revisions.count} (${Object.entries(revisions.byAuthor)
            .slice(0, 10)
            .map(([author, count]) => `${author} ${count}`)
            .join(', ')})`,
        ]
      : []),
    ...block(
      'placeholders:',
      placeholders.map(
        ({ text, paragraph, kind }) => `${paragraph}: ${text}${kind ? ` (${kind})` : ''}`,
      ),
    ),
    `styles: ${styles
      .slice(0, 20)
      .map(({ name, count }) => `${name} ${count}`)
      .join(', ')}`,
  ]
}

function showSection({ index, level, label, title, paragraphs, words }: SectionField): string {
  const name =
    level === 0
      ? '(before the first heading)'
      : `${'#'.repeat(level)} ${label ? `${label} ` : ''}${title}`
  return `${index}: ${name} [${paragraphs}, ${counted(words, 'word')}]`
}

function block(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return []
  const more = lines.length - MOST
  return [
    title,
    ...lines.slice(0, MOST).map(line => `  ${line}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ]
}
