import { placeholdersIn } from '../story/placeholders.ts'
import type { Story } from '../story/story.ts'

const MOST = 500

/** What a template leaves to fill in, with its kind where the text does not show it. */
export function placeholdersOf(
  story: Story,
): { readonly text: string; readonly paragraph: string; readonly kind?: string }[] {
  const found: { text: string; paragraph: string; kind?: string }[] = []
  for (const paragraph of story.paragraphs) {
    if (found.length >= MOST) break
    for (const { text, kind, isFilled, start } of placeholdersIn(paragraph)) {
      if (isFilled) continue
      const isPlain = start >= 0 && (kind === 'text' || kind === 'blank')
      found.push({ text, paragraph: paragraph.id, ...(!isPlain && { kind }) })
    }
  }
  return found
}
