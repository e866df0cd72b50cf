import type { LiveNode } from '../../../opc/index.ts'
import { TOKEN } from '../story/pieces.ts'
import type { Paragraph } from '../story/story.ts'
import { textMapOf, type View } from '../story/text-map.ts'

/** `p12|4.2(b) text`, with the marks of its level. */
export function showParagraph(paragraph: Paragraph, text: string): string {
  const { story, id } = paragraph
  const { heading, label } = story.rank(paragraph)
  const marks = heading === undefined ? '' : `${'#'.repeat(heading)} `
  return `${id}|${marks}${label === '' ? '' : `${label} `}${text}`
}

const texts = new WeakMap<LiveNode, { readonly version: number; readonly text: string }>()

/** The text without marks and tokens. Kept for the final view, which a map asks for several times. */
export function plainText(paragraph: Paragraph, view: View = 'final'): string {
  const { story, node } = paragraph
  const { version } = story.tree
  const known = view === 'final' ? texts.get(node) : undefined
  if (known?.version === version) return known.text
  const text = textMapOf(story.pieces(paragraph), view).text.replaceAll(TOKEN, '')
  if (view === 'final') texts.set(node, { version, text })
  return text
}

/** In the final view a paragraph is gone if its mark and all its text were deleted. */
export function isGone(paragraph: Paragraph, view: View): boolean {
  if (view === 'marked') return false
  const mark = paragraph.node.child('w:pPr')?.child('w:rPr')
  const isOut =
    view === 'final'
      ? mark?.child('w:del') !== undefined || mark?.child('w:moveFrom') !== undefined
      : mark?.child('w:ins') !== undefined || mark?.child('w:moveTo') !== undefined
  if (!isOut) return false
  return textMapOf(paragraph.story.pieces(paragraph), view).text === ''
}
