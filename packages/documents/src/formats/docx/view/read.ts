import { fail, ok, type Reading, type Result } from '@filewright/protocol'
import type { ReadOptions } from '../../../format.ts'
import { Refusal } from '../../../refusal.ts'
import type { DocumentRegion } from '../declared/selectors.ts'
import type { Manuscript } from '../story/manuscript.ts'
import { paragraphsAt } from '../story/places.ts'
import { sectionsOf } from '../story/sections.ts'
import type { Paragraph, TableSpot } from '../story/story.ts'
import type { View } from '../story/text-map.ts'
import { type Revision, revisionsOf } from './revisions.ts'
import { isGone, plainText, showParagraph } from './show.ts'
import { cellsOf } from './table-shape.ts'

/** Reads a region as text that a model can send back; a long one is paged by paragraphs. */
export function readDocument(
  manuscript: Manuscript,
  region: DocumentRegion,
  options: ReadOptions,
): Result<Reading> {
  const view = region.view ?? 'final'
  try {
    if (region.section?.trim().toLowerCase() === 'revisions')
      return readRevisions(manuscript, options)
    const { paragraphs, what } = chosen(manuscript, region)
    return readParagraphs(manuscript, paragraphs, { view, what, options, region })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return fail(error.code, `Cannot read the document: ${error.message}.`)
  }
}

interface Chosen {
  readonly paragraphs: readonly Paragraph[]
  readonly what: string
}

function chosen(manuscript: Manuscript, { section, paragraphs }: DocumentRegion): Chosen {
  const { body } = manuscript
  if (paragraphs !== undefined)
    return { paragraphs: paragraphsAt(manuscript, paragraphs), what: 'the range' }
  if (section === undefined) return { paragraphs: body.paragraphs, what: 'the body' }
  const byIndex = /^\d+$/.test(section.trim()) ? Number(section) : undefined
  if (byIndex === undefined) {
    const wanted = ALIASES[section.trim().toLowerCase()] ?? section
    return { paragraphs: paragraphsAt(manuscript, wanted), what: JSON.stringify(section) }
  }
  const sections = sectionsOf(body)
  const found = sections.find(({ index }) => index === byIndex)
  if (!found) throw noSection(manuscript, byIndex)
  return { paragraphs: body.paragraphs.slice(found.start, found.end), what: `section ${byIndex}` }
}

const ALIASES: Readonly<Record<string, string>> = { header: 'headers', footer: 'footers' }

function noSection(manuscript: Manuscript, index: number): Refusal {
  const last = sectionsOf(manuscript.body).at(-1)?.index ?? 0
  return new Refusal('NO_SUCH_REGION', `there is no section ${index}; the last section is ${last}`)
}

function readParagraphs(
  manuscript: Manuscript,
  paragraphs: readonly Paragraph[],
  {
    view,
    what,
    options,
    region,
  }: { view: View; what: string; options: ReadOptions; region: DocumentRegion },
): Result<Reading> {
  const lines: string[] = []
  const fields: Record<string, unknown>[] = []
  let bytes = 0
  let count = 0
  const grid = new GridMarks(manuscript)
  for (const paragraph of paragraphs) {
    if (isGone(paragraph, view)) {
      count++
      continue
    }
    const own = [...grid.before(paragraph), showParagraph(manuscript, paragraph, view)]
    const size = own.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0)
    if (count > 0 && bytes + size > options.maxBytes) break
    bytes += size
    lines.push(...own)
    fields.push(toField(paragraph, view))
    count++
  }
  const next = paragraphs[count]
  const last = paragraphs.at(-1)
  const revisionCount = countRevisions(manuscript)
  return ok({
    text: [...lines, ...remarks(revisionCount, view)].join('\n'),
    fields: { paragraphs: fields, ...(revisionCount > 0 && { revisionCount }) },
    shown: `${count === paragraphs.length ? what : `${paragraphs[0]?.id ?? ''} to ${paragraphs[count - 1]?.id ?? ''} of ${what}`}`,
    total: `${paragraphs.length} paragraphs`,
    ...(next &&
      last && { next: { paragraphs: `${next.id}-${last.id}`, ...(region.view && { view }) } }),
  })
}

function toField(paragraph: Paragraph, view: View): Record<string, unknown> {
  const { story, id } = paragraph
  const { heading, label } = story.rank(paragraph)
  const style = story.styleIdOf(paragraph.node)
  return {
    id,
    text: plainText(paragraph, view),
    ...(label !== '' && { label }),
    ...(heading !== undefined && { level: heading }),
    ...(style !== undefined && { style }),
  }
}

function countRevisions(manuscript: Manuscript): number {
  return manuscript.stories.reduce((sum, story) => sum + revisionsOf(story).length, 0)
}

function remarks(revisions: number, view: View): string[] {
  if (revisions === 0) return []
  const shown = {
    final:
      'The text is shown as if all were accepted; view: "marked" shows them, section: "revisions" lists them.',
    marked: '{++inserted++} and {--deleted--} text is marked.',
    original: 'The text is shown as if all were rejected.',
  }[view]
  return ['', `The document has ${revisions} tracked change${revisions === 1 ? '' : 's'}. ${shown}`]
}

/** Lines that say where a table starts and which cell a paragraph is in. */
class GridMarks {
  readonly #cells = new Map<unknown, { table: TableSpot; place: string }>()
  #cell: unknown

  constructor(manuscript: Manuscript) {
    for (const story of manuscript.stories)
      for (const table of story.tables)
        for (const { node, row, column } of cellsOf(story.tree, table.node))
          this.#cells.set(node, { table, place: `row ${row + 1}, column ${column + 1}` })
  }

  before({ cell, box, note, story }: Paragraph): string[] {
    const at = cell ?? box ?? note
    if (at === this.#cell) return []
    this.#cell = at
    if (cell) {
      const known = this.#cells.get(cell)
      return known ? [`[${known.table.id}, ${known.place}]`] : []
    }
    if (box) return ['[text box]']
    if (note) return [`[${note.name.slice(2)} ${story.tree.attribute(note, 'w:id') ?? ''}]`]
    return ['[body text]']
  }
}

function readRevisions(manuscript: Manuscript, { maxBytes }: ReadOptions): Result<Reading> {
  const all = manuscript.stories.flatMap(story => revisionsOf(story))
  const lines: string[] = []
  let bytes = 0
  for (const revision of all) {
    const line = showRevision(revision)
    bytes += Buffer.byteLength(line) + 1
    if (bytes > maxBytes) break
    lines.push(line)
  }
  return ok({
    text: lines.join('\n'),
    fields: { revisionCount: all.length },
    shown: `${lines.length} tracked changes`,
    total: `${all.length} tracked changes`,
  })
}

function showRevision({ id, kind, author, date, node, story }: Revision): string {
  const paragraph = node.closest('w:p')
  const place = (paragraph && story.idOf(paragraph)) ?? story.name
  let text = ''
  for (const name of ['w:t', 'w:delText'])
    for (const own of node.all(name)) if (text.length < 200) text += story.tree.textOf(own)
  return `revision ${id}: ${author}${date === '' ? '' : `, ${date.slice(0, 10)}`}, ${kind} at ${place}${text === '' ? '' : `: ${JSON.stringify(text.slice(0, 200))}`}`
}
