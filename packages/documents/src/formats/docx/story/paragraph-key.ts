import type { Paragraph } from './story.ts'

/** What programs write anew with every save and what means nothing: revision session ids, spelling marks, page breaks as laid out. */
const NOISE: ReadonlySet<string> = new Set([
  'w:proofErr',
  'w:lastRenderedPageBreak',
  'w:noProof',
  'w:lang',
  'w14:paraId',
  'w14:textId',
])

export function isNoise(name: string): boolean {
  return NOISE.has(name) || name.startsWith('w:rsid')
}

/** Ids of notes follow their order, so a note more gives those behind it other ones. */
const NOTE_ID = /(<w:(?:foot|end)noteReference\b[^>]*?) w:id="[^"]*"/g

/** Equal for paragraphs that mean the same in two files: text, looks, marks and properties. */
export function paragraphKey({ story, node }: Paragraph): string {
  return story.tree.xmlOf(node, isNoise).replace(NOTE_ID, '$1')
}
