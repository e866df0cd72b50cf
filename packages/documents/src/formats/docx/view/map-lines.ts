import { counted } from '@filewright/protocol'
import type { MapFields, SectionField } from './map-fields.ts'
import type { StyleField } from './styles-in-use.ts'

const MOST = 60 // lines of one kind; all of them are in the fields

type Listed = MapFields['fields']

/** The map as a model reads it. */
export function mapLines(fields: Listed): string[] {
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
      images.map(
        ({ paragraph, kind, alt, data }) =>
          `${paragraph}: ${kind}${alt ? ` "${alt}"` : ''}${data ? `, ${data.join('; ')}` : ''}`,
      ),
    ),
    ...block(
      'other parts:',
      stories.map(
        ({ name, paragraphs, start, pages }) =>
          `${name}${pages ? ` (${pages.join(', ')})` : ''}: ${counted(paragraphs, 'paragraph')}, ${start}`,
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
    ...detailLines(fields),
    `styles: ${styles
      .slice(0, 20)
      .map(({ name, count }) => `${name} ${count}`)
      .join(', ')}`,
    ...block('direct formatting beside the style:', styles.flatMap(showDeviation)),
  ]
}

function showDeviation({ name, deviating, deviations }: StyleField): string[] {
  if (!deviating || !deviations) return []
  const more = deviating.length > MOST_RANGES ? ' …' : ''
  const where = deviating.slice(0, MOST_RANGES).join(', ')
  return [`${name}: ${where}${more} (${deviations.slice(0, MOST_RANGES).join(', ')})`]
}

const MOST_RANGES = 12

function detailLines(details: Listed): string[] {
  const { numbered = [], comments = [], fields = [], controls = [] } = details
  const { bookmarks = [], pages = [] } = details
  return [
    ...block(
      'numbered paragraphs:',
      numbered.map(({ paragraph, label, start }) => `${paragraph}: ${label} ${start}`),
    ),
    ...block(
      'comments:',
      comments.map(
        ({ id, author, text, paragraph, answers, isResolved }) =>
          `${id}: ${author}${paragraph ? ` on ${paragraph}` : ''}${answers === undefined ? '' : `, answers ${answers}`}${isResolved ? ', resolved' : ''}: ${text}`,
      ),
    ),
    ...block(
      'fields:',
      fields.map(
        ({ kind, paragraph, shows, target, to }) =>
          `${paragraph}: ${kind}${target === undefined ? '' : ` ${target}`}${to === undefined ? '' : ` (${to})`} "${shows}"`,
      ),
    ),
    ...block(
      'content controls and form fields:',
      controls.map(
        ({ kind, paragraph, name, value }) =>
          `${paragraph}: ${kind}${name === undefined ? '' : ` ${name}`} "${value}"`,
      ),
    ),
    ...block(
      'bookmarks:',
      bookmarks.map(({ name, paragraph }) => `${name} (${paragraph})`),
    ),
    ...(pages.length > 0
      ? [
          `pages as Word last laid them out: ${pages
            .slice(0, MOST)
            .map(({ page, paragraph }) => `${page} ${paragraph}`)
            .join(', ')}${pages.length > MOST ? ` … ${pages.length} in all` : ''}`,
        ]
      : []),
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
