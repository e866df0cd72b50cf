import { fail, ok, type Reading, type Result } from '@filewright/protocol'
import type { ReadOptions } from '../../../format.ts'
import type { LiveNode } from '../../../opc/index.ts'
import { Refusal } from '../../../refusal.ts'
import type { DocumentRegion } from '../declared/selectors.ts'
import { renderForm } from '../story/form.ts'
import type { Manuscript } from '../story/manuscript.ts'
import { labelled, paragraphsAt, sectionAround } from '../story/places.ts'
import { sectionsOf } from '../story/sections.ts'
import type { Paragraph, Story, TableSpot } from '../story/story.ts'
import type { View } from '../story/text-map.ts'
import { firstRevision, readRevisions } from './read-revisions.ts'
import { revisionsOf } from './revisions.ts'
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
    const from = firstRevision(region.section)
    if (from !== undefined) return readRevisions(manuscript, from, options)
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
    return {
      paragraphs: paragraphsAt(manuscript, BARE.test(paragraphs) ? Number(paragraphs) : paragraphs),
      what: 'the range',
    }
  if (section === undefined) return { paragraphs: body.paragraphs, what: 'the body' }
  if (BARE.test(section)) return numbered(manuscript, Number(section))
  const wanted = ALIASES[section.trim().toLowerCase()] ?? section
  return { paragraphs: paragraphsAt(manuscript, wanted), what: JSON.stringify(section) }
}

const BARE = /^\s*\d+\s*$/

/** A number is the label of a section, else its index; where it is both, the answer says which one it shows. */
function numbered(manuscript: Manuscript, number: number): Chosen {
  const { body } = manuscript
  const byIndex = sectionsOf(body).find(({ index }) => index === number)
  const [only, ...others] = labelled(manuscript, String(number))
  if (!only || others.length > 0) {
    if (!byIndex) throw noSection(manuscript, number)
    const more = only
      ? ` by its index; the label ${number} stands at ${others.length + 1} places`
      : ''
    const paragraphs = body.paragraphs.slice(byIndex.start, byIndex.end)
    return { paragraphs, what: `section ${number}${more}` }
  }
  const paragraphs = sectionAround(body, only)
  const isBoth = byIndex && byIndex.start !== only.position
  const other = isBoth
    ? ` by its label; the one with index ${number} is ${JSON.stringify(byIndex.title)} (${body.paragraphs[byIndex.start]!.id})`
    : ''
  return { paragraphs, what: `section ${number}${other}` }
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
    const form = renderForm(manuscript.package, paragraph.story, paragraph, view)
    const own = [...grid.before(paragraph), showParagraph(paragraph, form)]
    const size = own.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0)
    if (count > 0 && bytes + size > options.maxBytes) break
    bytes += size
    lines.push(...own)
    fields.push({ ...toField(paragraph, view, form), ...grid.fieldOf(paragraph) })
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

function toField(paragraph: Paragraph, view: View, form: string): Record<string, unknown> {
  const { story, id } = paragraph
  const { heading, label } = story.rank(paragraph)
  const style = story.styleIdOf(paragraph.node)
  const text = plainText(paragraph, view)
  return {
    id,
    text,
    ...(form !== text && { form }),
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
  /** The printed number of each note by its kind and id. */
  readonly #numbers = new Map<string, number>()
  #cell: unknown

  constructor(manuscript: Manuscript) {
    const { body } = manuscript
    for (const [mark, number] of body.index.noteNumbers) {
      const kind = mark.name.slice(2).replace('Reference', '')
      this.#numbers.set(`${kind} ${body.tree.attribute(mark, 'w:id') ?? ''}`, number)
    }
    for (const story of manuscript.stories)
      for (const table of story.tables)
        for (const { node, row, column } of cellsOf(story.tree, table.node))
          this.#cells.set(node, { table, place: `row ${row + 1}, column ${column + 1}` })
  }

  /** The cell of a paragraph, for programs. */
  fieldOf({ cell }: Paragraph): { readonly cell?: string } {
    const known = cell && this.#cells.get(cell)
    return known ? { cell: `${known.table.id}, ${known.place}` } : {}
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
    return [note ? `[${this.#nameOf(note, story)}]` : '[body text]']
  }

  /** A note has the number that is printed, as its mark in the text; a comment its id and author. */
  #nameOf(note: LiveNode, { tree }: Story): string {
    const kind = note.name.slice(2)
    const id = tree.attribute(note, 'w:id') ?? ''
    const author = tree.attribute(note, 'w:author')
    if (author !== undefined) return `${kind} ${id} by ${author}`
    const type = tree.attribute(note, 'w:type')
    if (type !== undefined && type !== 'normal') return `line in front of the ${kind}s`
    return `${kind} ${this.#numbers.get(`${kind} ${id}`) ?? '*'}`
  }
}
