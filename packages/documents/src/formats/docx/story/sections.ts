import { TOKEN } from './pieces.ts'
import type { Paragraph, Story } from './story.ts'
import { textMapOf } from './text-map.ts'

/** The part of a story under one heading, up to the next of its level or above. */
export interface Section {
  /** 0 for the text in front of the first heading. */
  readonly index: number
  readonly heading: Paragraph | undefined
  /** 1 to 9; 0 for the text in front of the first heading. */
  readonly level: number
  readonly title: string
  /** The heading's own number, such as `4.2`. */
  readonly label: string
  /** Positions of its paragraphs: [start, end). */
  readonly start: number
  readonly end: number
}

const known = new WeakMap<
  Story,
  { readonly version: string; readonly sections: readonly Section[] }
>()

/** The sections of a story in order; those inside others follow them. */
export function sectionsOf(story: Story): readonly Section[] {
  const ranks = story.ranks
  const version = `${story.tree.version}`
  const cached = known.get(story)
  if (cached?.version === version) return cached.sections
  const { paragraphs } = story
  const headings = paragraphs.filter(
    paragraph =>
      ranks[paragraph.position]!.heading !== undefined &&
      !paragraph.box &&
      !paragraph.note &&
      titleOf(paragraph) !== '', // an empty paragraph in the style of a heading only makes space
  )
  const sections: Section[] = []
  const first = headings[0]?.position ?? paragraphs.length
  if (first > 0)
    sections.push({
      index: 0,
      heading: undefined,
      level: 0,
      title: '',
      label: '',
      start: 0,
      end: first,
    })
  const ends = endsOf(
    headings.map(({ position }) => ({ position, level: ranks[position]!.heading! })),
    paragraphs.length,
  )
  for (const [number, heading] of headings.entries()) {
    const { heading: level = 9, label } = ranks[heading.position]!
    const title = titleOf(heading)
    const end = ends[number]!
    sections.push({ index: number + 1, heading, level, title, label, start: heading.position, end })
  }
  known.set(story, { version, sections })
  return sections
}

export function titleOf(paragraph: Paragraph): string {
  return textMapOf(paragraph.story.pieces(paragraph))
    .text.replaceAll(TOKEN, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Where the section of each heading ends: at the next heading of its level or above. */
function endsOf(
  headings: readonly { readonly position: number; readonly level: number }[],
  last: number,
): readonly number[] {
  const ends: number[] = []
  const open: number[] = []
  for (const [number, { position, level }] of headings.entries()) {
    while (open.length > 0 && headings[open.at(-1)!]!.level >= level) ends[open.pop()!] = position
    open.push(number)
  }
  for (const number of open) ends[number] = last
  return ends
}
