import { sectionsOf } from '../story/sections.ts'
import type { Story } from '../story/story.ts'

const CHUNK = 150 // paragraphs that one read usually holds

/** Ranges of paragraphs that fit one read, cut at headings where one is near. */
export function chunksOf(story: Story): string[] {
  const { paragraphs } = story
  const starts = new Set(sectionsOf(story).map(({ start }) => start))
  const chunks: string[] = []
  let from = 0
  while (from < paragraphs.length) {
    let to = Math.min(from + CHUNK, paragraphs.length)
    if (to < paragraphs.length)
      for (let at = to; at > from + CHUNK / 2; at--)
        if (starts.has(at)) {
          to = at
          break
        }
    chunks.push(`${paragraphs[from]!.id}-${paragraphs[to - 1]!.id}`)
    from = to
  }
  return chunks
}
