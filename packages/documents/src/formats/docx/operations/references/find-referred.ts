import type { Manuscript } from '../../story/manuscript.ts'
import { fieldName } from '../../story/pieces.ts'
import { paragraphAt } from '../../story/places.ts'
import type { Paragraph } from '../../story/story.ts'
import { textMapOf } from '../../story/text-map.ts'

/** What a cross-reference points to. JSON only. */
export interface Referred {
  /** Of the paragraph. */
  readonly id: string
  /** A bookmark that the document has. */
  readonly bookmark?: string
  readonly text: string
  /** Its number in a list. */
  readonly label: string
  readonly isHeading: boolean
  /** Only its first characters are meant: the label and number of a caption. */
  readonly length?: number
}

/** A bookmark by its name, a caption by its label and number, else a paragraph: an id, a heading, a list label. */
export function findReferred(manuscript: Manuscript, target: string): Referred {
  const wanted = target.trim()
  return (
    bookmarkOf(manuscript, wanted) ??
    captionOf(manuscript, wanted) ??
    toReferred(paragraphAt(manuscript, wanted))
  )
}

function toReferred(paragraph: Paragraph): Referred {
  const { story, id } = paragraph
  const { heading, label } = story.rank(paragraph)
  const text = textMapOf(story.pieces(paragraph)).text.replaceAll('\ufffc', '').trim()
  return { id, text, label: label === '•' ? '' : label, isHeading: heading !== undefined }
}

function bookmarkOf({ stories }: Manuscript, wanted: string): Referred | undefined {
  for (const story of stories)
    for (const start of story.root.all('w:bookmarkStart')) {
      const name = story.tree.attribute(start, 'w:name') ?? ''
      if (name.toLowerCase() !== wanted.toLowerCase()) continue
      const node = start.closest('w:p')
      const paragraph = node && story.paragraph(story.idOf(node) ?? '')
      if (!paragraph) continue
      return { ...toReferred(paragraph), text: markedText(paragraph, start), bookmark: name }
    }
  return undefined
}

/** The text between the marks of a bookmark, as far as it is in the paragraph. */
function markedText({ story, node }: Paragraph, start: Paragraph['node']): string {
  const id = story.tree.attribute(start, 'w:id')
  let text = ''
  let isIn = false
  const walk = (at: Paragraph['node']): boolean => {
    for (const child of at.children) {
      if (child === start) isIn = true
      else if (child.name === 'w:bookmarkEnd' && story.tree.attribute(child, 'w:id') === id)
        return false
      else if (child.name === 'w:t' && isIn) text += story.tree.textOf(child)
      else if (!walk(child)) return false
    }
    return true
  }
  walk(node)
  return text.trim()
}

/** `Figure 2`: the paragraph that begins so and counts itself with a field. */
function captionOf({ stories }: Manuscript, wanted: string): Referred | undefined {
  const folded = wanted.toLowerCase()
  for (const story of stories)
    for (const paragraph of story.paragraphs) {
      const pieces = story.pieces(paragraph)
      const isCounted = pieces.some(({ border }) => border && fieldName(border.code) === 'SEQ')
      if (!isCounted) continue
      const { text } = textMapOf(pieces)
      const own = /^\s*\S+\s+[\d.]+/.exec(text)?.[0] ?? ''
      if (own.trim().toLowerCase() !== folded) continue
      return { ...toReferred(paragraph), text: own.trim(), label: '', length: own.length }
    }
  return undefined
}
