import { toChangeId } from '@filewright/protocol'
import { Refusal } from '../../../refusal.ts'
import type { Label } from './labels.ts'
import type { Manuscript } from './manuscript.ts'
import { sectionsOf } from './sections.ts'
import type { Paragraph, Story } from './story.ts'

/** `n4k2x9a`: from the operation that makes it, so that a replay gives the same id whatever else was refused. */
export function newIdOf(toolCallId: string, index: number, number: number | string): string {
  const hash = toChangeId(toolCallId, index, `new ${number}`).slice('chg_'.length)
  return `n${Number.parseInt(hash.slice(0, 12), 16).toString(36).slice(0, 7)}`
}

/** How a person reads the place of a change: `paragraph 12`, `header1 paragraph 2`, `new paragraph n4k2x9a`. */
export function placeOf(id: string): string {
  const [, story, kind, number] = /^(?:(.+)\/)?([a-z])(.+)$/.exec(id) ?? []
  const noun = kind === 't' ? 'table' : 'paragraph'
  if (kind === 'n') return `new paragraph ${id}`
  return `${story ? `${story} ` : ''}${noun} ${number}`
}

/** A paragraph or table that the look of another is taken from: without it, one that is new is not there to look at. */
export function readForLook(id: string): readonly string[] {
  return /(?:^|\/)n/.test(id) ? [id] : []
}

const PARTS: ReadonlySet<string> = new Set(['footnotes', 'endnotes', 'comments'])
const STORY_GROUPS: Readonly<Record<string, RegExp>> = {
  headers: /^header/,
  footers: /^footer/,
  header: /^header/,
  footer: /^footer/,
  notes: /^(foot|end)notes$/,
  document: /^body$/,
}

/** A place as an operation or a read names it. */
export type PlaceArgument = string | number | readonly (string | number)[]

/**
 * The paragraphs of a place: an id (`p12`, `header1/p2`), a range (`p12-p20`), a table (`t2`), a story (`body`,
 * `headers`, `footnotes`), a list label (`4.2(b)`) or a heading, which means its section. Absent: the whole document.
 */
export function paragraphsAt(
  manuscript: Manuscript,
  place: PlaceArgument | undefined,
): readonly Paragraph[] {
  if (place === undefined || place === '')
    return manuscript.stories
      .filter(({ name }) => name !== 'comments')
      .flatMap(story => story.paragraphs)
  if (typeof place === 'number') return paragraphsAt(manuscript, `p${place}`)
  if (typeof place !== 'string') return place.flatMap(each => paragraphsAt(manuscript, each))
  const text = unambiguous(manuscript, place)
  return (
    (BARE.test(text) ? byLabel(manuscript, text) : undefined) ??
    byId(manuscript, text) ??
    byRange(manuscript, text) ??
    byStory(manuscript, text) ??
    byTable(manuscript, text) ??
    byLabel(manuscript, text) ??
    byHeading(manuscript, text) ??
    raise(noPlace(manuscript, place))
  )
}

/** As `paragraphsAt`, but a heading means itself, without its section. */
export function headingsAt(manuscript: Manuscript, place: PlaceArgument): readonly Paragraph[] {
  if (typeof place === 'object') return place.flatMap(each => headingsAt(manuscript, each))
  const heading =
    typeof place === 'string' ? headingAt(manuscript, unambiguous(manuscript, place)) : undefined
  return heading ? [heading] : paragraphsAt(manuscript, place)
}

/** The paragraph of a place that means one; `end` chooses of several. */
export function paragraphAt(
  manuscript: Manuscript,
  place: PlaceArgument,
  choice: 'only' | 'first' | 'last' = 'only',
): Paragraph {
  if (place === '')
    throw new Refusal(
      'INVALID_ARGUMENT',
      'place is missing: name a paragraph such as "p12" as read_file shows it',
    )
  const text = typeof place === 'string' ? unambiguous(manuscript, place) : place
  const isHeading = typeof text === 'string' && choice === 'only'
  const heading = isHeading ? headingAt(manuscript, text) : undefined
  const found = heading ? [heading] : paragraphsAt(manuscript, place)
  const chosen = choice === 'last' ? found.at(-1) : found[0]
  if (!chosen) throw noPlace(manuscript, place)
  if (choice === 'only' && found.length > 1)
    throw new Refusal(
      'INVALID_ARGUMENT',
      `${JSON.stringify(place)} means ${found.length} paragraphs, ${found[0]!.id} to ${found.at(-1)!.id}; name one of them`,
    )
  return chosen
}

/** By id: for places that were resolved before. */
export function paragraphById(manuscript: Manuscript, id: string): Paragraph {
  const found = byId(manuscript, id)?.[0]
  if (!found)
    throw new Refusal(
      'NO_SUCH_REGION',
      `there is no paragraph ${JSON.stringify(id)} any more: it was deleted`,
    )
  return found
}

function byId(manuscript: Manuscript, text: string): readonly Paragraph[] | undefined {
  const plain = /^(?:paragraph\s+)?(?:p\s?)?(\d+)$/i.exec(text)
  const id = plain ? `p${plain[1]}` : text.toLowerCase()
  const slash = id.lastIndexOf('/')
  const stories = slash < 0 ? manuscript.stories : [manuscript.story(id.slice(0, slash))]
  for (const story of stories) {
    const found = story?.paragraph(id)
    if (found) return [found]
  }
  return undefined
}

function byRange(manuscript: Manuscript, text: string): readonly Paragraph[] | undefined {
  const parts = /^((?:\w+\/)?[pn]?\w+)\s*(?:-|–|:|\.\.)\s*((?:\w+\/)?[pn]?\w+)$/i.exec(text)
  if (!parts) return undefined
  const from = byId(manuscript, parts[1]!)?.[0]
  const to = byId(manuscript, parts[2]!)?.[0]
  if (ID.test(parts[1]!) && ID.test(parts[2]!) && (!from || !to))
    throw noEnd(manuscript, text, from ? parts[2]! : parts[1]!)
  if (!from || !to || from.story !== to.story || from.position > to.position) return undefined
  return from.story.paragraphs.slice(from.position, to.position + 1)
}

const ID = /^(?:\w+\/)?p\d+$/i

/** An end of a range that is not there: deleted in the draft, or beyond the last paragraph. */
function noEnd(manuscript: Manuscript, range: string, missing: string): Refusal {
  const [, name = 'body', digits = ''] = /^(?:(\w+)\/)?p(\d+)$/i.exec(missing) ?? []
  const paragraphs = manuscript.story(name.toLowerCase())?.paragraphs ?? []
  const numberOf = ({ id }: Paragraph) => Number(/p(\d+)$/.exec(id)?.[1] ?? Number.NaN)
  const before = paragraphs.findLast(own => numberOf(own) < Number(digits))
  const after = paragraphs.find(own => numberOf(own) > Number(digits))
  const near = [before, after].flatMap(own => own?.id ?? []).join(' and ')
  return new Refusal(
    'NO_SUCH_REGION',
    `there is no paragraph ${missing} for the range ${JSON.stringify(range)}${near === '' ? '' : `; the nearest ${near.includes(' ') ? 'are' : 'is'} ${near}`}`,
  )
}

function byStory(manuscript: Manuscript, text: string): readonly Paragraph[] | undefined {
  const name = text.toLowerCase()
  const pattern = Object.hasOwn(STORY_GROUPS, name) ? STORY_GROUPS[name]! : undefined
  const stories = manuscript.storyNames.filter(own => own === name || pattern?.test(own))
  if (stories.length === 0 && (pattern || PARTS.has(name)))
    throw new Refusal('NO_SUCH_REGION', `the document has no ${text}`)
  if (stories.length === 0) return undefined
  return stories.flatMap(own => manuscript.story(own)?.paragraphs ?? [])
}

function byTable(manuscript: Manuscript, text: string): readonly Paragraph[] | undefined {
  const table = tableById(manuscript, text)
  if (!table) return undefined
  return table.story.paragraphs.filter(({ node }) => {
    for (let at = node.parent; at; at = at.parent) if (at === table.node) return true
    return false
  })
}

/** `t2`, `table 2`, `header1/t1`. */
export function tableById(manuscript: Manuscript, text: string) {
  const plain = /^table\s+(\d+)$/i.exec(text)
  const id = plain ? `t${plain[1]}` : text.toLowerCase()
  for (const story of manuscript.stories) {
    const found = story.tables.find(table => table.id === id)
    if (found) return found
  }
  return undefined
}

const BARE = /^\d+$/

/** A bare number may be a label or a paragraph: what would be changed is then not guessed. */
function unambiguous(manuscript: Manuscript, place: string): string {
  const text = place.trim()
  if (!BARE.test(text)) return text
  const own = byId(manuscript, text)?.[0]
  const others = labelled(manuscript, text).filter(({ id }) => id !== own?.id)
  if (!own || others.length === 0) return text
  throw new Refusal(
    'INVALID_ARGUMENT',
    `${JSON.stringify(text)} may mean the paragraph ${own.id} or the label ${text} of ${idsOf(others)}; name one of them`,
  )
}

/** Paragraphs of the body with that label; in a label with a word, such as "Article 2", the number alone counts too. */
export function labelled({ body }: Manuscript, text: string): readonly Paragraph[] {
  const wanted = bare(text)
  if (wanted === '' || wanted === '•') return []
  const small = wanted.toLowerCase()
  const rules: readonly ((rank: Label) => boolean)[] = [
    ({ label }) => label === wanted,
    ({ label, printed }) =>
      [bare(label), bare(printed), label.replace(WORDS, '')].some(
        own => own.toLowerCase() === small,
      ),
  ]
  for (const isMeant of rules) {
    const found = body.paragraphs.filter(own => isMeant(body.rank(own)))
    if (found.length > 0) return found
  }
  return []
}

const WORDS = /^(?:\p{L}{2,}\s+)+(?=\S+$)/u

function bare(label: string): string {
  return label.trim().replace(/[.:]$/, '').replace(/\s+/g, ' ')
}

const MOST_NAMED = 10

function byLabel(manuscript: Manuscript, text: string): readonly Paragraph[] | undefined {
  const found = labelled(manuscript, text)
  if (found.length === 1) return sectionAround(manuscript.body, found[0]!)
  if (found.length > 1)
    throw new Refusal(
      'INVALID_ARGUMENT',
      `the label ${JSON.stringify(text)} stands at ${idsOf(found)}; name one of them`,
    )
  return undefined
}

function idsOf(found: readonly Paragraph[]): string {
  const more = found.length - MOST_NAMED
  const ids = found.slice(0, MOST_NAMED).map(({ id }) => id)
  return `${ids.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** A numbered heading means its section, another numbered paragraph itself. */
export function sectionAround(body: Story, paragraph: Paragraph): readonly Paragraph[] {
  const section = sectionsOf(body).find(({ heading }) => heading?.id === paragraph.id)
  return section ? body.paragraphs.slice(section.start, section.end) : [paragraph]
}

function byHeading(manuscript: Manuscript, text: string): readonly Paragraph[] | undefined {
  const heading = headingAt(manuscript, text)
  return heading && sectionAround(manuscript.body, heading)
}

function headingAt(manuscript: Manuscript, text: string): Paragraph | undefined {
  const wanted = text.replace(/\s+/g, ' ').toLowerCase()
  const isMeant = (title: string) =>
    wanted.endsWith('…') ? title.startsWith(wanted.slice(0, -1)) : title === wanted
  const sections = sectionsOf(manuscript.body)
  const found = sections.filter(
    ({ title, label }) =>
      isMeant(title.toLowerCase()) || isMeant(`${label} ${title}`.toLowerCase()),
  )
  if (found.length > 1)
    throw new Refusal(
      'INVALID_ARGUMENT',
      `there are ${found.length} headings ${JSON.stringify(text)}: ${found.map(({ heading }) => heading!.id).join(', ')}; name one of them`,
    )
  if (found[0]) return found[0].heading
  const [only, ...others] = labelled(manuscript, text)
  const isHeading = only && sections.some(({ heading }) => heading?.id === only.id)
  return isHeading && others.length === 0 ? only : undefined
}

function noPlace(manuscript: Manuscript, place: unknown): Refusal {
  const { body } = manuscript
  const last = body.paragraphs.at(-1)?.id ?? 'none'
  const titles = sectionsOf(body).flatMap(({ title }) =>
    title === '' ? [] : [JSON.stringify(title)],
  )
  const shown = titles.length > 0 ? `; the headings are ${titles.slice(0, 20).join(', ')}` : ''
  return new Refusal(
    'NO_SUCH_REGION',
    `there is no place ${JSON.stringify(place)}: the body's paragraphs go from p1 to ${last}${shown}`,
  )
}

function raise(error: Error): never {
  throw error
}
