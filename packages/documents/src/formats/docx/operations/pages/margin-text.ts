import type { TextEdit } from '../../../../runs/align-text.ts'
import { TOKEN } from '../../story/pieces.ts'
import type { Paragraph } from '../../story/story.ts'
import { spansIn, type TextMap, textMapOf } from '../../story/text-map.ts'

/** A stretch of plain text between tabs, pictures and fields: what may be replaced. */
interface Stretch {
  readonly start: number
  readonly end: number
}

/** Whether a header's paragraph has room for text: not one with a page number or a picture alone. */
export function holdsText(paragraph: Paragraph): boolean {
  if (paragraph.box) return false
  const map = textMapOf(paragraph.story.pieces(paragraph))
  return map.text === '' || freeStretches(map).some(({ start, end }) => end > start)
}

/**
 * Puts a line in place of the plain text of a header's paragraph. Pictures, fields and tabs stay; so does what stands
 * between two tabs together with a field, such as `Page 2 of 5`.
 */
export function lineEdits(paragraph: Paragraph, line: string): readonly TextEdit[] {
  const map = textMapOf(paragraph.story.pieces(paragraph))
  if (map.text === '') return line === '' ? [] : [{ start: 0, end: 0, text: line }]
  const stretches = freeStretches(map).filter(({ start, end }) => end > start)
  const [first, ...others] = stretches
  if (!first) return []
  const parts = line.split('\t')
  const isByTab = parts.length > 1 && parts.length === stretches.length
  return [first, ...others]
    .map(({ start, end }, index) => ({
      start,
      end,
      text: isByTab ? parts[index]! : index === 0 ? line : '',
    }))
    .filter(({ start, end, text }) => map.text.slice(start, end) !== text)
}

function freeStretches(map: TextMap): readonly Stretch[] {
  const found: Stretch[] = []
  let at = 0
  for (const segment of map.text.split('\t')) {
    const end = at + segment.length
    const isComputed = spansIn(map, at, end).some(
      ({ piece }) => piece.border?.kind === 'field' || piece.isPrompt,
    )
    if (!isComputed) found.push(...betweenTokens(segment, at))
    at = end + 1
  }
  return found
}

function betweenTokens(segment: string, from: number): readonly Stretch[] {
  const found: Stretch[] = []
  let at = from
  for (const text of segment.split(TOKEN)) {
    found.push({ start: at, end: at + text.length })
    at += text.length + 1
  }
  return found
}
